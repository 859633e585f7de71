import { type Finding, stepsOf } from '@partner-payments/validator'
import type { Contract, Operation } from '../contract/contract.ts'
import { parsedJson } from '../contract/json.ts'
import { type Kind, partnerIn, recordsIn, type Shown } from '../contract/kinds.ts'
import type { Intent, Placed, ReceivedResponse, RecordedExchange, SentRequest } from '../history.ts'
import type { Identity, Token } from './identity.ts'

/** What stays known of an exchange when its content is forgotten. */
export interface Trace {
  readonly sentAt: number
  readonly completeAt: number
  /** When the response was complete, by the clock of the service. */
  readonly time: number
  /** The operationId. */
  readonly operation: string | undefined
  readonly outcome: 'accepted' | 'refused' | 'unknown'
  readonly by: Identity | undefined
}

/** A request and its response, as rules read them. */
export interface Exchange {
  readonly type: 'exchange'
  readonly sentAt: number
  readonly completeAt: number
  readonly request: SentRequest
  readonly response: ReceivedResponse | undefined
  /** Why no response arrived; undefined if one did, or if that is not known. */
  readonly failure: string | undefined
  readonly intent: Intent | undefined
  /** All exchanges that were on their way at the same time. */
  readonly beside: readonly RecordedExchange[]
  /** Undefined if the contract has no such operation. */
  readonly operation: Operation | undefined
  readonly parameters: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The JSON of the request and of the response; undefined if there is none. */
  readonly sent: unknown
  readonly shown: unknown
  /** 0 if no response arrived. */
  readonly status: number
  /** Unknown after a 5xx, or if no response arrived: the request may have taken effect. */
  readonly outcome: 'accepted' | 'refused' | 'unknown'
  /** The token that it was sent with, if the history shows its sign-in. */
  readonly token: Token | undefined
  /** Whom the token stands for. */
  readonly by: Identity | undefined
  /** Where the response differs from the contract. */
  readonly differences: readonly Finding[]
  /** The fields of the response that the contract does not declare. */
  readonly undeclared: readonly Finding[]
  /** The records that the response shows, with the fields that have the contract's shape. */
  readonly records: readonly Shown[]
  readonly trace: Trace
}

/** An exchange without the content of its response, which would take up memory. */
export function withoutResponse(exchange: Exchange): Exchange {
  const content = { response: undefined, shown: undefined, beside: [], records: [] }
  return { ...exchange, ...content, differences: [], undeclared: [] }
}

/** Where a request differs from the contract; with `unknown`, also what the contract does not declare. */
export function requestDifferences(
  { operation, request, sent }: Exchange,
  { unknown = false } = {},
): Finding[] {
  const [path = '', query = ''] = request.path.split('?', 2)
  const { method, headers } = request
  const message = { method, path, query, headers, ...(request.body !== undefined && { body: sent }) }
  return operation?.validator.validateRequest(message, { unknown }) ?? []
}

/** Whether a request is valid by the contract. */
export function isValid(exchange: Exchange): boolean {
  return exchange.operation !== undefined && requestDifferences(exchange).length === 0
}

interface Known {
  readonly contract: Contract
  readonly kinds: readonly Kind[]
  readonly tokenOf: (authorization: string | undefined) => Token | undefined
  /** The time of the service at a time of this machine. */
  readonly timeAt: (at: number) => number
}

/** Reads an exchange by the contract. */
export function exchangeOf(
  { event, beside }: Placed<RecordedExchange>,
  { contract, kinds, tokenOf, timeAt }: Known,
): Exchange {
  const { request, response } = event
  const [path = '', query = ''] = request.path.split('?', 2)
  const { operation, parameters = {} } = contract.find(request.method, path) ?? {}
  const status = response?.status ?? 0
  const shown = response && isJson(response) ? parsedJson(response.text) : undefined
  const found = response && operation ? validate(operation, response, shown) : []
  const differences = found.filter(({ keyword }) => keyword !== 'unknown')
  const outcome =
    status >= 200 && status < 300 ? 'accepted' : status >= 400 && status < 500 ? 'refused' : 'unknown'
  const records = operation && outcome === 'accepted' ? recordsIn(kinds, operation.id, shown) : []
  const token = operation?.scheme === 'basic' ? undefined : tokenOf(request.headers.authorization)
  const partner =
    token && records.some(({ kind }) => kind.name === 'user') ? token.identity.partner : undefined
  if (partner !== undefined) records.push(...partnerIn(kinds, { partner, body: shown }))
  const { sentAt, completeAt } = event
  const by = token?.identity
  return {
    type: 'exchange',
    sentAt,
    completeAt,
    trace: { sentAt, completeAt, time: timeAt(completeAt), operation: operation?.id, outcome, by },
    request,
    response,
    failure: event.failure,
    intent: event.intent,
    beside,
    operation,
    parameters,
    query: new URLSearchParams(query),
    sent: request.body === undefined ? undefined : parsedJson(request.body),
    shown,
    status,
    outcome,
    token,
    by,
    differences,
    undeclared: found.filter(({ keyword }) => keyword === 'unknown'),
    records: records.flatMap((it) => shapedRecord(it, { contract, operation, status, differences })),
  }
}

function isJson({ headers }: ReceivedResponse): boolean {
  return /[/+]json\b/i.test(String(headers['content-type'] ?? ''))
}

function validate(
  { validator, of }: Operation,
  { status, headers, text }: ReceivedResponse,
  json: unknown,
): Finding[] {
  const body = json === undefined && text !== '' ? text : json
  return validator.validateResponse(
    of,
    { status, headers, ...(body !== undefined && { body }) },
    { unknown: true },
  )
}

interface Shape {
  readonly contract: Contract
  readonly operation: Operation | undefined
  readonly status: number
  readonly differences: readonly Finding[]
}

/** Leaves out fields of another shape than the contract's, and those that it does not declare. */
function shapedRecord(record: Shown, { contract, operation, status, differences }: Shape): Shown[] {
  const places = differences.filter(({ place }) => place === 'body').map(({ pointer }) => pointer)
  if (!operation || places.some((it) => it !== record.at && record.at.startsWith(`${it}/`))) return []
  const bad = new Set(
    places.filter((it) => it.startsWith(`${record.at}/`)).map((it) => stepsOf(it.slice(record.at.length))[0]),
  )
  const fields = Object.entries(record.fields).filter(
    ([name]) => !bad.has(name) && contract.field(operation, status, `${record.at}/${name}`) !== undefined,
  )
  return [{ ...record, fields: Object.fromEntries(fields) }]
}
