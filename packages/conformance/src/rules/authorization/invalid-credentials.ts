import type { Scene } from '../../engine/context.ts'
import type { Who } from '../../transport/exchange.ts'

/** Somebody to whom the partner's records mean nothing. */
export interface Stranger {
  readonly who: Who
  /** The open question that says so; undefined where it goes without saying. */
  readonly question: string | undefined
  readonly words: string
}

/** The other partner, and the customer, whose token stands for another account by an answer of the contract. */
export function strangersOf({ contract, identities }: Scene): Stranger[] {
  const customer: Stranger = { who: 'customer', question: 'token-permissions', words: 'a customer' }
  const isApart = contract.questions.has('token-permissions') && identities.has('customer')
  return [{ who: 'other', question: undefined, words: 'another partner' }, ...(isApart ? [customer] : [])]
}
