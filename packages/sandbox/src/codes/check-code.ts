import type { Schemas } from '../contract.ts'
import type { Handler } from '../handler.ts'
import { formatCentavos, formatZeroAs0 } from '../money/centavos.ts'
import { type ChargeRow, parseCharge, readImmediate } from '../qrcodes/record.ts'
import { maskedTaxId } from '../tax-ids.ts'
import { timestamp } from '../time.ts'
import { type Amounts, requirePayableAmounts } from './payable.ts'
import { type Payee, type ResolvedStatic, resolveCode } from './resolve.ts'

type CodeCheck = Schemas['CodeCheck']

/** Decodes a payment code, static or dynamic, and returns what is due today and to whom. */
export const checkCode: Handler<'checkCode'> = ({ body: { emv }, context: { store, now } }) =>
  store.read(async (queries) => {
    const resolved = await resolveCode(queries, emv)
    if (resolved.kind === 'Static') return createStaticCodeCheck(resolved)

    const { row, payee } = resolved
    return createChargeCodeCheck(row, payee, requirePayableAmounts(row, now(), 'check'))
  })

/**
 * The response to a check of a static code, which has neither a due date nor adjustments. The
 * amount of a code without one is "0", because the payer chooses it.
 */
function createStaticCodeCheck({ payee, amount, message, tx_id }: ResolvedStatic): CodeCheck {
  const shownAmount = amount === undefined ? '0' : formatCentavos(amount)
  return {
    additional_infos: [],
    allow_value_change: amount === undefined,
    beneficiary: createBeneficiary(payee),
    deduction: '0',
    discount: '0',
    fine: '0',
    interest: '0',
    original_amount: shownAmount,
    final_amount: shownAmount,
    due_date: null,
    expiration: null,
    message,
    payer: { name: '', tax_id: '' },
    qrcode_type: 'Static',
    revision: 0,
    status: '',
    tx_id,
    url: '',
  }
}

/**
 * The response to a check of a dynamic code: the stored charge with the amounts that are due now.
 *
 * @param row the charge as it is stored
 */
function createChargeCodeCheck(row: ChargeRow, payee: Payee, amounts: Amounts): CodeCheck {
  const { additional_infos, message, payer, calendar } = parseCharge(row)
  return {
    additional_infos,
    allow_value_change: row.allow_value_change === 1n,
    beneficiary: createBeneficiary(payee),
    deduction: formatZeroAs0(amounts.deduction),
    discount: formatZeroAs0(amounts.discount),
    fine: formatZeroAs0(amounts.fine),
    interest: formatZeroAs0(amounts.interest),
    original_amount: formatCentavos(amounts.original),
    final_amount: formatZeroAs0(amounts.final),
    due_date: 'due_date' in calendar ? calendar.due_date : null,
    expiration: row.kind === 'Immediate' ? timestamp(readImmediate(row).lapsesAt) : null,
    message,
    payer: { name: payer?.name ?? '', tax_id: payer?.tax_id ?? '' },
    qrcode_type: row.kind,
    revision: Number(row.revision),
    status: row.status,
    tx_id: row.tx_id,
    url: row.url,
  }
}

/** Who is paid, as the payer sees it: the tax ID is masked. */
function createBeneficiary(payee: Payee): CodeCheck['beneficiary'] {
  return {
    account_number: payee.number,
    account_type: payee.type,
    branch: payee.branch,
    dict_key: payee.dict_key,
    ispb: payee.ispb,
    name: payee.name,
    tax_id: maskedTaxId(payee.tax_id),
    trade_name: payee.trade_name,
  }
}
