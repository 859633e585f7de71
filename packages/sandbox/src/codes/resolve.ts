import { type BrCode, type DynamicFields, explain, tryDecode } from '@partner-payments/brcode'
import { explainInvalidKey } from '../key-forms.ts'
import { describeMissingEntry, findEntry } from '../keys.ts'
import { type Account, findAccount } from '../ledger/accounts.ts'
import { parseCentavos } from '../money/centavos.ts'
import { refuse } from '../problems.ts'
import { type ChargeRow, chargeByUrl } from '../qrcodes/record.ts'
import type { Queries } from '../store/store.ts'

/** The payee and the charge that a payment code points to. */
export type Resolved = ResolvedStatic | ResolvedCharge

export interface ResolvedStatic {
  readonly kind: 'Static'
  readonly payee: Payee
  /** Centavos, or undefined if the payer chooses. */
  readonly amount: bigint | undefined
  readonly message: string | null
  /** Empty if the code has none. */
  readonly tx_id: string
}

export interface ResolvedCharge {
  readonly kind: 'DueDate' | 'Immediate'
  readonly payee: Payee
  readonly row: ChargeRow
}

export type Payee = Omit<Account, 'held_id' | 'balance'> & { readonly dict_key: string }

/**
 * Decodes a payment code, as the application of a payer would, and finds who is paid. A static code
 * has the key of the payee; a dynamic code has the URL of a stored charge.
 *
 * @throws {Refusal} `invalid_code` if it cannot be decoded, or leads to nobody and nothing here
 */
export async function resolveCode(queries: Queries, emv: string): Promise<Resolved> {
  const result = tryDecode(emv, { profile: 'lenient' })
  if (!result.ok) refuse('invalid_code', '/emv', explain(result.error))

  const { code } = result
  if (code.kind === 'static') return resolveStatic(queries, code)

  const hasCharge = 'location' in code && code.location
  if (hasCharge) return resolveCharge(queries, code)
  return refuse('invalid_code', '/emv', 'The code contains only a recurrence, no charge.')
}

type StaticCode = Extract<BrCode, { kind: 'static' }>

/**
 * Finds who is paid by a static code, and how much; the amount is undefined if the payer chooses
 * it. The directory decides who is paid: name, tax ID and account of the payee come from the entry
 * of the key, never from the code, which anybody can write.
 *
 * Manual de Padrões para Iniciação do Pix 2.10.0, notes 26 and 46.
 *
 * @throws {Refusal} `invalid_code` if the key is invalid or has no entry
 */
async function resolveStatic(queries: Queries, code: StaticCode): Promise<ResolvedStatic> {
  if (code.withdrawalFacilitator) {
    refuse('invalid_code', '/emv', 'Withdrawals (Pix Saque) are not served here.')
  }

  const expectation = explainInvalidKey(code.key)
  if (expectation) refuse('invalid_code', '/emv', `The key of the code must be ${expectation}.`)

  const payee = await findEntry(queries, code.key)
  if (!payee) refuse('invalid_code', '/emv', describeMissingEntry(code.key))

  return {
    kind: 'Static',
    payee,
    amount: readAmount(code),
    message: code.message ?? null,
    tx_id: code.txid ?? '',
  }
}

/** The centavos that a code demands; undefined if the payer chooses, by no amount or one of 0. */
function readAmount({ amount }: StaticCode): bigint | undefined {
  if (amount === undefined) return undefined
  const centavos = parseCentavos(amount)
  return centavos === 0n ? undefined : centavos
}

/**
 * Finds the stored charge of a dynamic code by the URL in the code, and the account that it pays.
 *
 * @throws {Refusal} `invalid_code` if the charge is not in this sandbox
 */
async function resolveCharge(
  queries: Queries,
  { location }: DynamicFields,
): Promise<ResolvedCharge> {
  const row = await chargeByUrl(queries, location)
  if (!row) return refuse('invalid_code', '/emv', CHARGE_IS_NOT_HERE)

  const account = await findAccount(queries, row.account_id)
  if (!account) return refuse('invalid_code', '/emv', CHARGE_IS_NOT_HERE)
  return { kind: row.kind, payee: { ...account, dict_key: row.dict_key }, row }
}

const CHARGE_IS_NOT_HERE =
  'The charge of this code is not in this sandbox, and the sandbox fetches none from other institutions.'
