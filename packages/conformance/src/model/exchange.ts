import { type Finding, stepsOf } from '@partner-payments/validator'
import type { Contract, Operation } from '../contract/contract.ts'
import { fieldsOf, parsedJson } from '../contract/json.ts'
import { readRecords, type ShownRecord } from '../contract/kinds.ts'
import type { Learned, OwnForm } from '../form/own-form.ts'
import type { Intent, Placed, ReceivedResponse, RecordedExchange, SentRequest } from '../history.ts'
import { isOfUnknown, type Unknown, unknownIn, withoutUnknown } from './unknown.ts'

/** Whom a token stands for: a partner, or a customer of a partner. */
export interface Identity {
  /** The client key that signed in. */
  readonly partner: string
  readonly customer?: string
}

/** A word for an identity, which is the same for the same one. */
export function nameOf({ partner, customer }: Identity): string {
  return customer === undefined ? partner : `${partner}/${customer}`
}

export interface Token {
  readonly identity: Identity
  readonly kind: 'access' | 'refresh'
  /** The operation that issued it, and when, by the clock of the service. */
  readonly issuedBy: string
  readonly issuedAt: number
  /** The number that says how long it works; undefined if that is not known. */
  readonly expiration: number | undefined
  /** Until when it is valid by `expiration`, by the clock of the service. */
  readonly until: number
}

/** What stays known of an exchange when its content is forgotten. */
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
  readonly by: Identity | undefined
}

/** Who responded: the service itself, something in front of it, or one of them. */
export type Origin = 'service' | 'gateway' | 'unknown'

/** What shows who responded. */
export type ResponseParts = Pick<Exchange, 'response' | 'status' | 'shown'>

/** A request and its response, as rules read them. */
export interface Exchange extends Omit<Trace, 'operation' | 'time' | 'requestId'> {
  readonly type: 'exchange'
  readonly request: SentRequest
  readonly response: ReceivedResponse | undefined
  /** Why no response arrived; undefined if one did, or if that is not known. */
  readonly failure: string | undefined
  readonly intent: Intent | undefined
  /** Whether it is an edit of a request that was accepted. */
  readonly isVariant: boolean
  /** All exchanges that were on their way at the same time. */
  readonly beside: readonly RecordedExchange[]
  /** Undefined if the contract has no such operation. */
  readonly operation: Operation | undefined
  readonly parameters: Readonly<Record<string, string>>
  /** Without the query. */
  readonly path: string
  readonly query: URLSearchParams
  /** Who responded. The response of a gateway says nothing of the service. */
  readonly origin: Origin
  /** What is not known of it, and is left out of `sent`, `shown` and the differences. */
  readonly unknown: Unknown
  /**
   * The JSON of the request and of the response in the form of the contract; undefined if there is
   * none.
   */
  readonly sent: unknown
  readonly shown: unknown
  /** The JSON of the response in the words of the service, at the places of the contract. */
  readonly received: unknown
  /** What it shows at another place than the declared one. */
  readonly places: readonly Learned[]
  /** 0 if no response arrived. */
  readonly status: number
  /** The token that it was sent with, if the history shows its sign-in. */
  readonly token: Token | undefined
  /** Where the request and the response differ from the contract. */
  readonly requestDifferences: readonly Finding[]
  readonly differences: readonly Finding[]
  /** The fields of the response that the contract does not declare. */
  readonly undeclared: readonly Finding[]
  /** The records that the response shows, with the fields that have the contract's shape. */
  readonly records: readonly ShownRecord[]
  readonly trace: Trace
}

/** An exchange without the content of its response, which would take up memory. */
export function withoutResponse(exchange: Exchange): Exchange {
  return {
    ...exchange,
    response: undefined,
    shown: undefined,
    received: undefined,
    places: [],
    beside: [],
    records: [],
    differences: [],
    undeclared: [],
  }
}

/**
 * Where a request differs from the contract; with `unknown`, also what the contract does not
 * declare.
 */
function differencesOf(
  {
    operation,
    request,
    sent,
    path,
    query: asked,
  }: Pick<Exchange, 'operation' | 'request' | 'sent' | 'path' | 'query'>,
  { unknown = false } = {},
): Finding[] {
  const [, search = ''] = request.path.split('?', 2)
  const isInOtherWords = new URLSearchParams(search).toString() !== asked.toString()
  // What was sent is read as it is, with its faults.
  const query = isInOtherWords ? asked.toString() : search
  const { method, headers } = request
  const message = {
    method,
    path,
    query,
    headers,
  }
  if (request.body === undefined || !operation)
    return operation?.validator.validateRequest(message, { unknown }) ?? []

  const found = operation.validator.validateRequest({ ...message, body: sent }, { unknown })
  const isNoJson = sent === undefined && request.body !== ''
  return isNoJson ? found.map(withoutJson) : found
}

/** The same, without differences of what is not known. */
export function knownDifferences(
  exchange: Pick<Exchange, 'operation' | 'request' | 'sent' | 'path' | 'query' | 'unknown'>,
  options: { readonly unknown?: boolean } = {},
): Finding[] {
  const { sent: pointers, requestHeaders } = exchange.unknown
  const ofRequest = { pointers, hasHeaders: !requestHeaders }
  return differencesOf(exchange, options).filter(
    (difference) => !isOfUnknown(difference, ofRequest),
  )
}

/** A body that is no JSON is there, although the validator is given nothing. */
function withoutJson(difference: Finding): Finding {
  const isOfBody = difference.place === 'body' && difference.pointer === ''
  if (!isOfBody) return difference
  return { ...difference, message: 'expected valid JSON, got something else' }
}

/** Whether a request is valid by the contract, as far as all of it is known. */
export function isValid({ operation, requestDifferences, unknown }: Exchange): boolean {
  const isKnown = unknown.sent.length === 0 && !unknown.requestHeaders && !unknown.target
  return operation !== undefined && isKnown && requestDifferences.length === 0
}

interface Known {
  readonly contract: Contract
  /** How the service writes what is assumed, as far as that is known. */
  readonly form: OwnForm
  readonly originOf: (parts: ResponseParts) => Origin
  readonly isVariant: boolean
  readonly token: Token | undefined
  /** The time of the service when the response was complete. */
  readonly time: number
}

/** Reads an exchange by the contract. */
export function exchangeOf(
  { event, beside }: Placed<RecordedExchange>,
  { contract, form, originOf, isVariant, token: sentWith, time }: Known,
): Exchange {
  const { sentAt, completeAt, request, response, failure, intent } = event
  const [path = '', search = ''] = request.path.split('?', 2)
  const { operation, parameters = {} } = contract.find(request.method, path) ?? {}
  const status = response?.status ?? 0
  const outcome = outcomeOf(status)
  const token = operation?.scheme === 'basic' ? undefined : sentWith
  const by = token?.identity

  const unknown = unknownIn(event, operation)
  const body = request.body === undefined ? undefined : parsedJson(request.body)
  const sent = operation ? form.toContractBody(operation, body) : body
  const query = operation ? queryOf(search, operation, form) : new URLSearchParams(search)
  const json = response && jsonIn(response)
  const isPlaced = operation !== undefined && outcome === 'accepted'
  const received = isPlaced ? form.placed(operation, json) : json
  const shown = operation ? form.response(operation, status, received) : received
  const ofResponse = { pointers: unknown.shown, hasHeaders: !unknown.responseHeaders }
  const found = (response && operation ? validate(operation, response, received) : []).filter(
    (difference) => !isOfUnknown(difference, ofResponse),
  )
  const differences = found.filter(({ keyword }) => keyword !== 'unknown')
  const undeclared = found.filter(({ keyword }) => keyword === 'unknown')
  const known = withoutUnknown(shown, unknown.shown)
  const records =
    operation && outcome === 'accepted' ? readRecords(operation, known, by?.partner) : []

  const trace: Trace = {
    sentAt,
    completeAt,
    time,
    operation: operation?.id,
    requestId: requestIdOf(response),
    outcome,
    by,
  }
  return {
    type: 'exchange',
    sentAt,
    completeAt,
    request,
    response,
    failure,
    intent,
    isVariant,
    beside,
    operation,
    parameters,
    path,
    query,
    origin: originOf({ response, status, shown }),
    unknown,
    sent: withoutUnknown(sent, unknown.sent),
    shown: known,
    received: withoutUnknown(received, unknown.shown),
    places: isPlaced ? form.placesIn(operation, json) : [],
    status,
    outcome,
    token,
    by,
    requestDifferences: knownDifferences({ operation, request, sent, path, query, unknown }),
    differences,
    undeclared,
    records: shapedRecords(records, { operation, status, differences, unknown: unknown.shown }),
    trace,
  }
}

function requestIdOf(response: ReceivedResponse | undefined): string | undefined {
  const id = response?.headers['x-request-id']
  return typeof id === 'string' ? id : undefined
}

/** The parameters of a query in the words of the contract. A repeated one stays as it is. */
function queryOf(search: string, operation: Operation, form: OwnForm): URLSearchParams {
  const query = new URLSearchParams(search)
  for (const [name, value] of Object.entries(
    fieldsOf(form.toContractBody(operation, Object.fromEntries(query))),
  ))
    if (query.getAll(name).length === 1 && query.get(name) !== value) query.set(name, String(value))
  return query
}

/** After a redirect, a 5xx, or no response, the request may have taken effect. */
function outcomeOf(status: number): Trace['outcome'] {
  if (status >= 200 && status < 300) return 'accepted'
  if (status >= 400 && status < 500) return 'refused'
  return 'unknown'
}

/**
 * The JSON of a response. An object or an array is read whatever the media type says: a wrong media
 * type is one difference, and not one in everything that the response shows.
 */
function jsonIn({ headers, text }: ReceivedResponse): unknown {
  const isNamedJson = /[/+]json\b/i.test(String(headers['content-type'] ?? ''))
  const looksLikeJson = /^\s*[[{]/.test(text)
  return isNamedJson || looksLikeJson ? parsedJson(text) : undefined
}

function validate(
  { validator, declaration }: Operation,
  response: ReceivedResponse,
  json: unknown,
): Finding[] {
  const { status, headers, text } = response
  const body = json === undefined && text !== '' ? text : json
  const message = body === undefined ? { status, headers } : { status, headers, body }
  return validator.validateResponse(declaration, message, { unknown: true })
}

/** The media type of a response without its parameters, in lower case; empty if it names none. */
export function mediaTypeOf({ response }: Pick<Exchange, 'response'>): string {
  const [type = ''] = String(response?.headers['content-type'] ?? '').split(';', 1)
  return type.trim().toLowerCase()
}

interface Shape extends Pick<Exchange, 'operation' | 'status' | 'differences'> {
  /** Pointers to what is not known of the response. */
  readonly unknown: readonly string[]
}

/**
 * Leaves out fields of another shape than the contract's, those that it does not declare, and those
 * of which a part is not known.
 */
function shapedRecords(
  records: readonly ShownRecord[],
  { operation, status, differences, unknown }: Shape,
): ShownRecord[] {
  if (!operation) return []

  const ofBody = differences.filter((it) => it.place === 'body' && !isOtherWord(it))
  const misshaped = [...ofBody.map(({ pointer }) => pointer), ...unknown]
  const misshapedPlaces = new Set(misshaped)
  const misshapedFields = fieldsByPlace(misshaped)

  return records.flatMap((record) => {
    if (placesAround(record.at).some((place) => misshapedPlaces.has(place))) return []

    const fields = Object.entries(record.fields).filter(([name]) => {
      const isDeclared = operation.field(status, `${record.at}/${name}`)
      return isDeclared && !misshapedFields.get(record.at)?.has(name)
    })
    return [{ ...record, fields: Object.fromEntries(fields) }]
  })
}

/**
 * Of each place, the names of its fields in which one of the pointers is. A list may have hundreds
 * of thousands of records, so they are looked up.
 */
function fieldsByPlace(pointers: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byPlace = new Map<string, Set<string>>()
  for (const pointer of pointers) {
    for (const place of placesAround(pointer)) {
      const [field = ''] = stepsOf(pointer.slice(place.length))
      const fields = byPlace.get(place) ?? new Set()
      byPlace.set(place, fields.add(field))
    }
  }
  return byPlace
}

/** The pointers of what is around a value: of `/data/0` these are `` and `/data`. */
function placesAround(pointer: string): string[] {
  const places: string[] = []
  for (let end = 0; end < pointer.length; end++) {
    if (pointer[end] === '/') places.push(pointer.slice(0, end))
  }
  return places
}

/** What a value looks like, where its type is that of the contract. */
const OF_WRITING: ReadonlySet<string> = new Set(['enum', 'const', 'pattern', 'format'])

/** Whether a value differs only in how it is written, which the contract assumes. */
function isOtherWord({ keyword, question }: Finding): boolean {
  return question !== undefined && OF_WRITING.has(keyword)
}
