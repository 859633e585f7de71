/** Why a transfer is rejected after it was accepted: codes of pacs.002, and words of ours. */
export const REJECTIONS = {
  AB03: 'the settlement took too long',
  AB09: 'the institution of the recipient failed',
  AC03: 'the account of the recipient is invalid',
  AC06: 'the account of the recipient is blocked',
  AC07: 'the account of the recipient is closed',
  AC14: 'the account of the recipient is of a kind that cannot receive',
  AG12: 'payer and recipient have the same account',
  AM02: 'the amount is above the limit of the recipient',
  BE01: 'the document is not that of the account holder',
  DS04: 'the institution of the recipient refused the payment',
} as const

export type Rejection = keyof typeof REJECTIONS

/** The code in a column: one of ours, or empty. */
export function messageOf(outcome: string): string {
  return outcome in REJECTIONS ? `${outcome}: ${REJECTIONS[outcome as Rejection]}.` : ''
}

/** Rejections that an amount forces: 9990.01 the first of them, 9990.02 the second, and so on. */
export const MAGIC_AMOUNTS: ReadonlyMap<bigint, Rejection> = new Map(
  (Object.keys(REJECTIONS) as Rejection[]).map((code, i) => [999_001n + BigInt(i), code]),
)

/** The key whose owner can never be paid for this reason: ac03@reject.example.com. */
export function magicKey(code: Rejection): string {
  return `${code.toLowerCase()}@reject.example.com`
}

/** How the accounts behind those keys are named. */
export const REJECTING = 'reject/'

/** What will become of a transfer; empty where it settles. */
export function outcomeOf(amount: bigint, payer: string, payee: string): Rejection | '' {
  if (payer === payee) return 'AG12'
  if (payee.startsWith(REJECTING)) return payee.slice(REJECTING.length) as Rejection
  return MAGIC_AMOUNTS.get(amount) ?? ''
}
