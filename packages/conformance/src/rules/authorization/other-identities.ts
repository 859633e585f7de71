import type { Context } from '../../engine/context.ts'
import type { RequestIdentity } from '../../model/exchange.ts'

/** An identity that must not see or change the partner's records. */
export interface OtherIdentity {
  readonly identity: RequestIdentity
  /** The open question that requires this; undefined if no question is needed. */
  readonly question: string | undefined
  readonly words: string
}

/** The other partner, and the customer, whose token belongs to another account. */
export function otherIdentities({ contract, identities }: Context): OtherIdentity[] {
  const { tokenKinds } = contract.conventions
  const partner: OtherIdentity = { identity: 'other', question: undefined, words: 'another partner' }
  if (!identities.has('customer')) return [partner]
  return [partner, { identity: 'customer', question: tokenKinds?.question, words: 'a customer' }]
}
