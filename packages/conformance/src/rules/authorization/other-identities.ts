import type { Context } from '../../engine/context.ts'
import type { RequestIdentity } from '../../model/exchange.ts'

/** Somebody to whom the partner's records mean nothing. */
export interface Stranger {
  readonly identity: RequestIdentity
  /** The open question that says so; undefined where it goes without saying. */
  readonly question: string | undefined
  readonly words: string
}

/** The other partner, and the customer, whose token stands for another account by an answer of the contract. */
export function strangersOf({ contract, identities }: Context): Stranger[] {
  const customer: Stranger = {
    identity: 'customer',
    question: contract.conventions.tokenKinds?.question,
    words: 'a customer',
  }
  const isApart = contract.conventions.tokenKinds !== undefined && identities.has('customer')
  return [
    { identity: 'other', question: undefined, words: 'another partner' },
    ...(isApart ? [customer] : []),
  ]
}
