import type { Caller } from '../auth/tokens.ts'
import { INITIATION_LIFETIME } from '../behaviour.ts'
import { amountsNow } from '../codes/payable.ts'
import { type Payee, resolveCode } from '../codes/resolve.ts'
import type { Context } from '../context.ts'
import type { BodyOf } from '../contract.ts'
import { entryOf, INITIATION, type Initiation } from '../keys.ts'
import { formatCentavos, parseCentavos } from '../money/centavos.ts'
import { dayOf } from '../money/days.ts'
import { refuse } from '../problems.ts'
import { unseal } from '../seal.ts'
import type { Queries } from '../store/store.ts'

type Request = BodyOf<'createTransfer'>
type EmvRequest = Extract<Request, { type: 'emv' }>
type DictRequest = Extract<Request, { type: 'dict' }>

export interface Order {
  readonly payee: Payee
  readonly initiation_type: 'DICT' | 'QRES' | 'QRDN'
  readonly tx_id: string
  /** The charge that it pays. */
  readonly qrcode_id: string | null
  /** The id of the key lookup that it consumes. */
  readonly initiation: string | null
}

/** Validates a transfer request against the current state. */
export async function orderOf(
  queries: Queries,
  context: Context,
  caller: Caller,
  body: Request,
): Promise<Order> {
  checkDate(body, context.now())
  if (parseCentavos(body.amount) === 0n)
    refuse('amount_not_allowed', '/amount', '"amount" must be more than 0.')
  const order =
    body.type === 'emv'
      ? await byCode(queries, context, body)
      : await byKey(queries, context, caller, body)
  checkBeneficiary(order.payee, body.beneficiary)
  return order
}

function checkDate({ payment_date }: Request, now: number): void {
  if (payment_date === undefined || payment_date === dayOf(now)) return
  refuse('payment_date_not_allowed', '/payment_date', '"payment_date" must be today, or absent.')
}

async function byCode(
  queries: Queries,
  { now }: Context,
  { emv, amount }: EmvRequest,
): Promise<Order> {
  const found = await resolveCode(queries, emv)
  const order = { payee: found.payee, initiation: null }
  if (found.kind === 'Static') {
    checkAmount(found.amount, amount)
    return { ...order, initiation_type: 'QRES', tx_id: found.tx_id, qrcode_id: null }
  }
  checkAmount(amountsNow(found.row, now(), 'transfer').final, amount)
  return { ...order, initiation_type: 'QRDN', tx_id: found.row.tx_id, qrcode_id: found.row.id }
}

function checkAmount(fixed: bigint | undefined, amount: string): void {
  if (fixed === undefined || fixed === parseCentavos(amount)) return
  const detail = `"amount" must be "${formatCentavos(fixed)}", got "${amount}".`
  refuse('amount_not_allowed', '/amount', detail, { detail: 'The code fixes the amount.' })
}

async function byKey(
  queries: Queries,
  context: Context,
  caller: Caller,
  body: DictRequest,
): Promise<Order> {
  const initiation = unseal<Initiation>(context, INITIATION, body.initiation_id)
  const isBound = initiation?.caller === caller.account_id && initiation.dict_key === body.dict_key
  if (!initiation || !isBound || initiation.at + INITIATION_LIFETIME < context.now())
    refuseInitiation()
  const payee = await entryOf(queries, body.dict_key)
  // The key has moved since the lookup, so the payer saw another owner.
  if (payee?.id !== initiation.owner) refuseInitiation()
  return {
    payee,
    initiation_type: 'DICT',
    tx_id: '',
    qrcode_id: null,
    initiation: initiation.nonce,
  }
}

function refuseInitiation(): never {
  refuse('initiation_invalid', '/initiation_id', 'Look the key up again.')
}

const COMPARED = {
  account_number: 'number',
  account_type: 'type',
  branch: 'branch',
  ispb: 'ispb',
  name: 'name',
  tax_id: 'tax_id',
} as const

/** The payee details in the request must match the payee. */
function checkBeneficiary(payee: Payee, beneficiary: Request['beneficiary'] = {}): void {
  for (const [field, column] of Object.entries(COMPARED)) {
    const given = beneficiary[field as keyof typeof COMPARED]
    if (given === undefined || given === payee[column]) continue
    refuse('beneficiary_mismatch', `/beneficiary/${field}`, `"${field}" differs from the owner's.`)
  }
}
