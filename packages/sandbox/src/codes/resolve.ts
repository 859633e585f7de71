import { createHash } from 'node:crypto'
import { type BrCode, type DynamicFields, tryDecode } from '@partner-payments/brcode'
import { entryOf } from '../keys.ts'
import { type Account, accountOf } from '../ledger/accounts.ts'
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

/** Decodes a payment code as a payer would, and finds its payee and charge. */
export async function resolveCode(queries: Queries, emv: string): Promise<Resolved> {
  const result = tryDecode(emv, { profile: 'lenient' })
  if (!result.ok) {
    // Without the value that was found, because it may be personal.
    const { path, expected } = result.error
    const subject = path ? `Object ${path}` : 'The code'
    refuse('invalid_code', '/emv', `${subject} must be ${expected}.`)
  }

  const { code } = result
  if (code.kind === 'static') return resolveStatic(queries, code)

  const hasCharge = 'location' in code && code.location
  if (hasCharge) return resolveCharge(queries, code)
  return refuse('invalid_code', '/emv', 'The code contains only a recurrence, no charge.')
}

type StaticCode = Extract<BrCode, { kind: 'static' }>

async function resolveStatic(queries: Queries, code: StaticCode): Promise<ResolvedStatic> {
  if (code.withdrawalFacilitator) {
    refuse('invalid_code', '/emv', 'Withdrawals (Pix Saque) are not served here.')
  }

  const amount = parseCentavos(code.amount ?? '0')
  const isPayersChoice = amount === 0n
  const entry = await entryOf(queries, code.key)
  return {
    kind: 'Static',
    payee: entry ?? unknownPayee(code),
    amount: isPayersChoice ? undefined : amount,
    message: code.message ?? null,
    tx_id: code.txid ?? '',
  }
}

/**
 * Creates a payee at another institution for a key that this sandbox does not know. The name comes
 * from the code and the rest from the key, so the same key always gives the same account.
 */
function unknownPayee({ key, merchantName }: StaticCode): Payee {
  const digest = createHash('sha256').update(key).digest()
  const isCnpj = /^[\dA-Z]{12}\d{2}$/.test(key)
  const isCpf = /^\d{11}$/.test(key)
  return {
    id: `outside/${digest.toString('base64url')}`,
    standing: 'outside',
    name: merchantName,
    trade_name: '',
    tax_id: isCnpj || isCpf ? key : '',
    owner_type: isCnpj ? 'LEGAL_PERSON' : 'NATURAL_PERSON',
    ispb: OTHER_INSTITUTION,
    branch: '0001',
    number: String(digest.readUInt32BE(0)),
    type: 'CACC',
    dict_key: key,
  }
}

const OTHER_INSTITUTION = '99999029'

async function resolveCharge(
  queries: Queries,
  { location }: DynamicFields,
): Promise<ResolvedCharge> {
  const row = await chargeByUrl(queries, location)
  if (!row) return refuse('invalid_code', '/emv', NOT_HERE)

  const account = await accountOf(queries, row.account_id)
  if (!account) return refuse('invalid_code', '/emv', NOT_HERE)
  return { kind: row.kind, payee: { ...account, dict_key: row.dict_key }, row }
}

const NOT_HERE =
  'The charge of this code is not in this sandbox, and the sandbox fetches none from other institutions.'
