import type { Finding } from '@partner-payments/validator'
import type { Operation } from '../contract/contract.ts'
import { stringAt } from '../contract/json.ts'
import type { ShownRecord } from '../contract/kinds.ts'
import type { Learned } from '../form/service-form.ts'
import type { Intent, ReceivedResponse, RecordedExchange, SentRequest } from '../history.ts'
import { mayComeFromUnknown, type Unknown } from './unknown.ts'

/** Whom a token stands for: a partner, or a customer of a partner. */
export interface Identity {
  /** The client key that signed in. */
  readonly partner: string
  readonly customer?: string
}

/** An identity as a text, for comparisons and as a key: `partner`, or `partner/customer`. */
export function nameOf({ partner, customer }: Identity): string {
  return customer === undefined ? partner : `${partner}/${customer}`
}

/** A token that a response of the history has shown. */
export interface Token {
  readonly identity: Identity
  readonly kind: 'access' | 'refresh'
  /** The operation that issued it. */
  readonly issuedBy: string
  /** When the request for it was sent, by the clock of the service. A slow service issued it any time from then on. */
  readonly requestedAt: number
  /** When the response that shows it was complete, by the clock of the service. */
  readonly issuedAt: number
  /** What its response says of how long it works, in the unit of the service. Undefined if unknown. */
  readonly expiration: number | undefined
  /** Until when it is valid by `expiration`, at most, by the clock of the service. */
  readonly until: number
  /** Until when it is valid at least: the same, if it was issued as soon as it was requested. */
  readonly certainUntil: number
  /** The scheme in which it is sent, as its response names it, such as `Bearer`. */
  readonly type: string | undefined
}

/** What the model remembers of an exchange when it forgets the content. */
export interface Trace {
  readonly sentAt: number
  readonly completeAt: number
  /** When the response was complete, by the clock of the service. */
  readonly time: number
  /** The operationId. */
  readonly operation: string | undefined
  /** The `x-request-id` of the response; undefined if it has none. */
  readonly requestId: string | undefined
  /** Unknown after a 5xx, or if no response arrived: the request may have taken effect. */
  readonly outcome: 'accepted' | 'refused' | 'unknown'
  /** Whom the token stands for. */
  readonly identity: Identity | undefined
}

/** Who responded: the service itself, something in front of it, or one of them. */
export type Responder = 'service' | 'gateway' | 'unknown'

/** The parts of a response that show who responded. */
export type ResponseParts = Pick<Exchange, 'response' | 'status' | 'responseBody'>

/** A request and its response, as rules read them. */
export interface Exchange extends Omit<Trace, 'operation' | 'time' | 'requestId'> {
  readonly type: 'exchange'
  readonly request: SentRequest
  readonly response: ReceivedResponse | undefined
  /** Why no response arrived; undefined if one did, or if that is not known. */
  readonly failure: string | undefined
  readonly intent: Intent | undefined
  /** Whether the run edited it from a request that was accepted. */
  readonly isVariant: boolean
  /** The exchanges that were on their way at the same time. */
  readonly beside: readonly RecordedExchange[]
  /** Undefined if the contract has no such operation. */
  readonly operation: Operation | undefined
  readonly parameters: Readonly<Record<string, string>>
  /** Without the query. */
  readonly path: string
  readonly query: URLSearchParams
  /** Who responded. The response of a gateway says nothing of the service. */
  readonly responder: Responder
  /** What is not known of it, and is left out of `requestBody`, `responseBody` and the differences. */
  readonly unknown: Unknown
  /**
   * Fields of the bodies that were left out, because there are too many that the contract does not name.
   */
  readonly leftOutFields: number
  /**
   * The JSON of the request and of the response in the form of the contract; undefined if there is
   * none.
   */
  readonly requestBody: unknown
  readonly responseBody: unknown
  /** The JSON of the response in the words of the service, at the places of the contract. */
  readonly untranslatedBody: unknown
  /** What it shows at another place than the declared one. */
  readonly places: readonly Learned[]
  /** 0 if no response arrived. */
  readonly status: number
  /** The header `authorization` of the request in the form of the contract: `Bearer …`. */
  readonly authorization: string | undefined
  /** The token that it was sent with, if the history shows its sign-in. */
  readonly token: Token | undefined
  /** Where the request and the response differ from the contract. */
  readonly requestDifferences: readonly Finding[]
  /** Those of the request that are words of the service's own, such as `value` for a modality. */
  readonly ownWords: readonly Finding[]
  readonly differences: readonly Finding[]
  /** The fields of the response that the contract does not declare. */
  readonly undeclared: readonly Finding[]
  /** The records that the response shows, with the fields that have the contract's shape. */
  readonly records: readonly ShownRecord[]
  readonly trace: Trace
}

/** The id of the record that the path of a request names. A path has at most one parameter. */
export function findIdInPath({ parameters }: Pick<Exchange, 'parameters'>): string | undefined {
  const [id] = Object.values(parameters)
  return id
}

/**
 * Lists the ids that the response to a transfer shows: one of its own, and that of the transfer in `data`. A
 * service may show one id in both places, or two. Empty ones are left out.
 */
export function listTransferIds({
  responseBody,
}: Pick<Exchange, 'responseBody'>): readonly string[] {
  const ids = ['/id', '/data/id'].map((pointer) => stringAt(responseBody, pointer) ?? '')
  return [...new Set(ids)].filter((id) => id !== '')
}

/** An exchange without the content of its response, which would take up memory. */
export function withoutResponse(exchange: Exchange): Exchange {
  return {
    ...exchange,
    response: undefined,
    responseBody: undefined,
    untranslatedBody: undefined,
    places: [],
    beside: [],
    records: [],
    differences: [],
    undeclared: [],
  }
}

/** The parts of a request that are compared with the contract. */
type RequestParts = Pick<Exchange, 'operation' | 'request' | 'requestBody' | 'path' | 'query'>

interface DifferenceOptions {
  /** Whether fields and parameters that the contract does not declare are differences. */
  readonly withUndeclared?: boolean
}

/**
 * Lists where a request differs from the contract: `[{ pointer: '/amount', keyword: 'pattern', … }]`. Parts that the
 * history does not have, such as headers that a recording left out, make no difference.
 */
export function listKnownDifferences(
  exchange: RequestParts & Pick<Exchange, 'unknown'>,
  { withUndeclared = false }: DifferenceOptions = {},
): Finding[] {
  const { requestBody, requestHeaders } = exchange.unknown
  const unknownParts = { pointers: requestBody, headers: requestHeaders }
  const differences = validateRequest(exchange, withUndeclared)
  return differences.filter((difference) => !mayComeFromUnknown(difference, unknownParts))
}

/** Lists where a request differs from its operation; empty if the contract has no such operation. */
function validateRequest(parts: RequestParts, withUndeclared: boolean): Finding[] {
  const { operation, request, requestBody, path } = parts
  if (!operation) return []

  const { validator } = operation
  const { method, headers, body } = request
  const options = { unknown: withUndeclared }
  const message = { method, path, query: queryText(parts), headers }
  if (body === undefined) return validator.validateRequest(message, options)

  const differences = validator.validateRequest({ ...message, body: requestBody }, options)
  // Of a text that is no JSON, the validator gets no value, and says that the body is missing.
  const isTextWithoutJson = requestBody === undefined && body !== ''
  return isTextWithoutJson ? differences.map(sayThatBodyIsNoJson) : differences
}

/**
 * The query in the words of the contract, such as `status=CONCLUIDA`. If no word was translated, exactly as it was
 * sent, with what is wrong in it, such as an invalid escape.
 */
function queryText({ request, query }: RequestParts): string {
  const [, sentText = ''] = request.path.split('?', 2)
  const isTranslated = new URLSearchParams(sentText).toString() !== query.toString()
  return isTranslated ? query.toString() : sentText
}

/** A difference with the right message, if it says of a body that is no JSON that it is missing. */
function sayThatBodyIsNoJson(difference: Finding): Finding {
  const isOfBody = difference.place === 'body' && difference.pointer === ''
  if (!isOfBody) return difference
  return { ...difference, message: 'expected valid JSON, got something else' }
}

/** Whether a request is valid by the contract and by the words of the service, as far as all of it is known. */
export function isValid(exchange: Exchange): boolean {
  const { operation, requestDifferences, ownWords, unknown } = exchange
  const isKnown = unknown.requestBody.length === 0 && !unknown.requestHeaders && !unknown.target
  const areOwnWords = requestDifferences.every((difference) => ownWords.includes(difference))
  return operation !== undefined && isKnown && areOwnWords
}
