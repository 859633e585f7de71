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

/** The codes in the order of the list above. */
const CODES = Object.keys(REJECTIONS) as Rejection[]

/** Describes an outcome; empty if it is no rejection. */
export function describeRejection(outcome: string): string {
  if (!isRejection(outcome)) return ''
  return `${outcome}: ${REJECTIONS[outcome]}.`
}

function isRejection(outcome: string): outcome is Rejection {
  return outcome in REJECTIONS
}

/** 9990.01 in centavos. */
const FIRST_MAGIC_AMOUNT = 999_001n

/** Amounts that force a rejection: 9990.01 for the first, 9990.02 for the second, and so on. */
export const MAGIC_AMOUNTS: ReadonlyMap<bigint, Rejection> = new Map(
  CODES.map((code, i) => [FIRST_MAGIC_AMOUNT + BigInt(i), code]),
)

/** The key of an account that always rejects for this reason, such as ac03@reject.example.com. */
export function magicKey(code: Rejection): string {
  return `${code.toLowerCase()}@reject.example.com`
}

/** Prefix of the account ids behind those keys. */
export const REJECTING = 'reject/'

/**
 * How a transfer will end: the code of its rejection, or empty if it will settle.
 *
 * @param amount in centavos
 * @param payer the id of the account that pays
 * @param payee the id of the account that receives
 */
export function decideOutcome(amount: bigint, payer: string, payee: string): Rejection | '' {
  if (payer === payee) return 'AG12'

  // A test account that rejects all transfers. Its id ends with the code.
  if (payee.startsWith(REJECTING)) return payee.slice(REJECTING.length) as Rejection

  return MAGIC_AMOUNTS.get(amount) ?? ''
}

/**
 * Lists the test values with which a transfer is rejected: keys to pay (`ab03@reject.example.com`),
 * and amounts (`9990.01`), each with the code (`AB03`) and the reason of the rejection.
 */
export function listRejectingValues() {
  const keys = CODES.map((code) => ({
    dict_key: magicKey(code),
    code,
    rejection_message: describeRejection(code),
  }))
  const amounts = [...MAGIC_AMOUNTS].map(([centavos, code]) => ({
    amount: formatCentavos(centavos),
    code,
    rejection_message: describeRejection(code),
  }))
  return { keys, amounts }
}
