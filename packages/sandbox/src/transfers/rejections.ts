import { formatCentavos } from '../money/centavos.ts'

/** Why an accepted transfer is rejected: codes of pacs.002, with our descriptions. */
export const REJECTIONS = {
  AB03: 'the settlement took too long',
  AB09: 'the institution of the recipient failed',
  AC03: 'the account of the recipient is invalid',
  AC06: 'the account of the recipient is blocked',
  AC07: 'the account of the recipient is closed',
  AC14: 'the account of the recipient is of a kind that cannot receive',
  AG12: 'payer and recipient have the same account',
  AM02: 'the amount is above the limit of the recipient',
  BE01: 'the tax ID is not that of the account holder',
  DS04: 'the institution of the recipient refused the payment',
} as const

export type Rejection = keyof typeof REJECTIONS

export function messageOf(outcome: string): string {
  return outcome in REJECTIONS ? `${outcome}: ${REJECTIONS[outcome as Rejection]}.` : ''
}

/** Amounts that force a rejection: 9990.01 for the first, 9990.02 for the second, and so on. */
export const MAGIC_AMOUNTS: ReadonlyMap<bigint, Rejection> = new Map(
  (Object.keys(REJECTIONS) as Rejection[]).map((code, i) => [999_001n + BigInt(i), code]),
)

/** The key of an account that always rejects for this reason, such as ac03@reject.example.com. */
export function magicKey(code: Rejection): string {
  return `${code.toLowerCase()}@reject.example.com`
}

/** Prefix of the account ids behind those keys. */
export const REJECTING = 'reject/'

export function outcomeOf(amount: bigint, payer: string, payee: string): Rejection | '' {
  if (payer === payee) return 'AG12'
  if (payee.startsWith(REJECTING)) return payee.slice(REJECTING.length) as Rejection
  return MAGIC_AMOUNTS.get(amount) ?? ''
}

/** The keys and amounts that make a transfer be rejected, each with its reason. */
export function magic() {
  const codes = Object.keys(REJECTIONS) as Rejection[]
  return {
    keys: codes.map((code) => ({ dict_key: magicKey(code), ...rejection(code) })),
    amounts: [...MAGIC_AMOUNTS].map(([centavos, code]) => ({
      amount: formatCentavos(centavos),
      ...rejection(code),
    })),
  }
}

function rejection(code: Rejection) {
  return { code, rejection_message: messageOf(code) }
}
