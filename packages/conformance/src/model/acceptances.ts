import type { Finding } from '@partner-payments/validator'
import { stringAt } from '../contract/json.ts'
import { Bounded } from './bounded.ts'
import { type Exchange, nameOf } from './exchange.ts'
import { schemeOf } from './tokens.ts'

/** What says who sends a request, and which one. */
type RequestParts = Pick<Exchange, 'operation' | 'identity' | 'requestBody'>

/**
 * Which identities and which requests the service has accepted. If it accepted none of a kind, its
 * refusals of that kind say nothing.
 */
export class Acceptances {
  readonly #identities = new Bounded<string, true>(1_000)
  readonly #requests = new Bounded<string, true>(1_000)
  /** The words of requests that the contract does not have, by operation and field. */
  readonly #ownWords = new Bounded<string, true>(1_000)

  /**
   * Whether a request of the same identity was accepted, with its token in the declared scheme (`Bearer …`).
   * Where the identity is not known, any accepted token counts.
   */
  hasAcceptedIdentity(request: RequestParts): boolean {
    return this.#identities.has(identityKey(request))
  }

  /**
   * Whether a similar request was accepted: the one that this one was edited from, or one of the same operation,
   * whoever sent it. If the contract has no such operation, any request of the same identity.
   */
  hasAcceptedSimilar(request: RequestParts & Pick<Exchange, 'isVariant'>): boolean {
    if (request.isVariant) return true
    if (!request.operation) return this.hasAcceptedIdentity(request)
    return this.#requests.has(requestKey(request))
  }

  /**
   * Lists the differences of a request that are words of the service's own: strings that an assumed `enum` does not
   * have, and that the service accepted in this field. A variant that the checker edited shows no new word, since the
   * service may just not look at the field.
   */
  listOwnWords(request: WordParts): readonly Finding[] {
    const { requestDifferences, outcome, intent } = request
    const isPlainAcceptance = outcome === 'accepted' && intent?.variantOf === undefined
    return requestDifferences.filter((difference) => {
      if (!isOfOpenEnum(difference)) return false
      const key = wordKey(difference, request)
      return key !== undefined && (isPlainAcceptance || this.#ownWords.has(key))
    })
  }

  /** Takes in the next exchange: remembers which identity, which kind of request and which words were accepted. */
  fold(exchange: Exchange): void {
    const { operation, outcome } = exchange
    if (outcome !== 'accepted' || !operation) return

    this.#requests.set(requestKey(exchange), true)
    for (const ownWord of exchange.ownWords) {
      const key = wordKey(ownWord, exchange)
      if (key !== undefined) this.#ownWords.set(key, true)
    }

    // `Token abc` was accepted where `Bearer abc` is declared: that does not show that `Bearer abc` works.
    if (!hasDeclaredScheme(exchange)) return

    this.#identities.set(identityKey(exchange), true)
    // Any accepted token counts for a request whose identity is not known.
    if (operation.scheme === 'bearer') this.#identities.set(ANY_IDENTITY, true)
  }
}

/** What words of the service's own are found by. */
type WordParts = Pick<
  Exchange,
  'operation' | 'requestBody' | 'requestDifferences' | 'outcome' | 'intent'
>

/** Whether a difference is about a word of which the document has no list, such as a modality. */
function isOfOpenEnum({ place, keyword, question }: Finding): boolean {
  return place === 'body' && keyword === 'enum' && question !== undefined
}

/** The field and its word: `createDueDateQrCode /amount/fine/modality percentage`. Undefined if that is no string. */
function wordKey(
  { pointer }: Finding,
  { operation, requestBody }: Pick<Exchange, 'operation' | 'requestBody'>,
): string | undefined {
  const word = stringAt(requestBody, pointer)
  return word === undefined ? undefined : `${operation?.id} ${pointer} ${word}`
}

/** Some identity whose token was accepted. */
const ANY_IDENTITY = 'any'

/**
 * Whether the credentials have the declared scheme, such as `Bearer`. True also without any, since browsers do not
 * record them.
 */
function hasDeclaredScheme({ authorization, operation }: Exchange): boolean {
  return authorization === undefined || schemeOf(authorization) === operation?.scheme
}

/** The identity of a request as a text: `partner/customer`, `any` if it is unknown, and `sign-in` of a sign-in. */
function identityKey({ operation, identity }: RequestParts): string {
  if (operation?.scheme === 'basic') return 'sign-in'
  return identity ? nameOf(identity) : ANY_IDENTITY
}

/** The operation as a text. A transfer to a key, `createTransfer dict`, is another request than one for a code. */
function requestKey({ operation, requestBody }: RequestParts): string {
  const kind = operation?.id === 'createTransfer' ? stringAt(requestBody, '/type') : ''
  return `${operation?.id} ${kind}`
}
