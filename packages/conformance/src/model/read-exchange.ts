import type { Finding } from '@partner-payments/validator'
import { findDeclaredList } from '../contract/behaviour.ts'
import type { ReadBody } from '../contract/bodies.ts'
import type { Contract, Operation } from '../contract/contract.ts'
import { fieldsOf } from '../contract/json.ts'
import { readRecords } from '../contract/kinds.ts'
import type { ListResponse, ServiceForm } from '../form/service-form.ts'
import type { Placed, ReceivedResponse, RecordedExchange } from '../history.ts'
import type { Acceptances } from './acceptances.ts'
import {
  type Exchange,
  listKnownDifferences,
  type Responder,
  type ResponseParts,
  type Token,
  type Trace,
} from './exchange.ts'
import { keepShapedFields } from './shaped-records.ts'
import { findUnknownParts, mayComeFromUnknown, type Unknown, withoutUnknown } from './unknown.ts'

/** What is known before an exchange is read. */
export interface ReadingContext {
  readonly contract: Contract
  /** How the service writes what is assumed, as far as that is known. */
  readonly form: ServiceForm
  readonly findResponder: (parts: ResponseParts) => Responder
  readonly acceptances: Acceptances
  readonly isVariant: boolean
  /** The token that the request was sent with. */
  readonly token: Token | undefined
  /** The time of the service when the response was complete. */
  readonly time: number
}

/**
 * Reads a recorded exchange by the contract: which operation it is, what was sent and shown in the
 * form of the contract, which records that shows, and where it differs from the contract. Such as
 * `{ operation: createWebhook, status: 201, outcome: 'accepted', records: [the webhook], differences: [], … }`.
 */
export function readExchange(
  { event, beside }: Placed<RecordedExchange>,
  context: ReadingContext,
): Exchange {
  const { contract, form, findResponder, isVariant, time } = context
  const { readBody } = contract
  const { sentAt, completeAt, request, response, failure, intent } = event
  const [path = '', queryText = ''] = request.path.split('?', 2)
  const { operation, parameters = {} } = contract.find(request.method, path) ?? {}
  const status = response?.status ?? 0
  const outcome = findOutcome(status)
  // A sign-in is sent with credentials, whatever its header looks like.
  const token = operation?.scheme === 'basic' ? undefined : context.token
  const identity = token?.identity

  const unknown = findUnknownParts(event, operation, readBody)
  const requestBody = readRequestBody(request.body, operation, { form, readBody })
  const query = readQuery(queryText, operation, form)
  const sent = { operation, request, requestBody, path, query, unknown }
  const requestDifferences = listKnownDifferences(sent)
  const page = { path, query: Object.fromEntries(query), headers: response?.headers ?? {} }
  const body = readResponseBody(response, operation, { form, readBody, page })
  const allDifferences = validateResponse(response, operation, {
    json: body.untranslatedBody,
    unknown,
  })
  const differences = allDifferences.filter(({ keyword }) => keyword !== 'unknown')
  const undeclared = allDifferences.filter(({ keyword }) => keyword === 'unknown')

  const responseBody = withoutUnknown(body.responseBody, unknown.responseBody)
  const records =
    operation && outcome === 'accepted'
      ? readRecords(operation, responseBody, identity?.partner)
      : []
  const shapedRecords = keepShapedFields(records, {
    operation,
    status,
    differences,
    unknown: unknown.responseBody,
  })

  const trace: Trace = {
    sentAt,
    completeAt,
    time,
    operation: operation?.id,
    requestId: findRequestId(response),
    outcome,
    identity,
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
    responder: findResponder({ response, status, responseBody: body.responseBody }),
    unknown,
    leftOutFields: countLeftOutFields(event, readBody),
    requestBody: withoutUnknown(requestBody, unknown.requestBody),
    responseBody,
    untranslatedBody: withoutUnknown(body.untranslatedBody, unknown.responseBody),
    places: body.places,
    status,
    outcome,
    authorization: form.swapScheme(request.headers.authorization),
    token,
    identity,
    requestDifferences,
    ownWords: context.acceptances.listOwnWords({
      operation,
      requestBody,
      requestDifferences,
      outcome,
      intent,
    }),
    differences,
    undeclared,
    records: shapedRecords,
    trace,
  }
}

/** How many fields of the two bodies were left out, because there are too many that the contract does not name. */
function countLeftOutFields({ request, response }: RecordedExchange, readBody: ReadBody): number {
  const texts = [request.body ?? '', response?.text ?? '']
  return texts.reduce((sum, text) => sum + readBody(text).leftOut, 0)
}

/** After a redirect, a 5xx, or no response, the request may have taken effect. */
function findOutcome(status: number): Trace['outcome'] {
  if (status >= 200 && status < 300) return 'accepted'
  if (status >= 400 && status < 500) return 'refused'
  return 'unknown'
}

function findRequestId(response: ReceivedResponse | undefined): string | undefined {
  const id = response?.headers['x-request-id']
  return typeof id === 'string' ? id : undefined
}

/** How bodies are read, and what is known of the form in which the service writes them. */
interface BodyContext {
  readonly form: ServiceForm
  readonly readBody: ReadBody
}

/**
 * The JSON of a request, with words of the service replaced by those of the contract: `{ status: 'ON' }` may become
 * `{ status: 'active' }`. Undefined if the request has no body, or it is no JSON.
 */
function readRequestBody(
  text: string | undefined,
  operation: Operation | undefined,
  { form, readBody }: BodyContext,
): unknown {
  const body = text === undefined ? undefined : readBody(text).json
  return operation ? form.toContractBody(operation, body) : body
}

/**
 * The parameters of a query, with words of the service replaced by those of the contract: `status=PAID` becomes
 * `status=CONCLUIDA`. A parameter that is repeated stays as it is.
 */
function readQuery(
  text: string,
  operation: Operation | undefined,
  form: ServiceForm,
): URLSearchParams {
  const query = new URLSearchParams(text)
  if (!operation) return query

  // The request for a page to which another one has linked.
  const isOfList = findDeclaredList({ operation }) !== undefined
  const linkedFrom = isOfList ? form.linkedPages.findContractQuery(query) : undefined
  if (linkedFrom) return new URLSearchParams(linkedFrom)

  const sentValues = Object.fromEntries(query)
  const contractValues = form.toContractBody(operation, sentValues)
  for (const [name, value] of Object.entries(fieldsOf(contractValues))) {
    const isTranslated = value !== sentValues[name]
    // To look each parameter up in the query would take minutes if there are many.
    if (!isTranslated) continue

    const isRepeated = query.getAll(name).length > 1
    if (!isRepeated) query.set(name, String(value))
  }
  return query
}

/** The JSON of a response in its two forms. */
interface ResponseBody extends Pick<Exchange, 'untranslatedBody' | 'responseBody' | 'places'> {}

/**
 * Reads the body of a response in two forms. Of a service that shows `{ record: { id: 'qr_1', status: 'PAID' } }`,
 * `untranslatedBody` has the fields at the places of the contract, `{ id: 'qr_1', status: 'PAID' }`, and
 * `responseBody` also its words, `{ id: 'qr_1', status: 'CONCLUIDA' }`. `places` lists what was at another place.
 */
function readResponseBody(
  response: ReceivedResponse | undefined,
  operation: Operation | undefined,
  { form, readBody, page }: BodyContext & { readonly page: ListResponse },
): ResponseBody {
  if (!response) return { untranslatedBody: undefined, responseBody: undefined, places: [] }

  const { status } = response
  const json = readJson(response, readBody)
  if (!operation) return { untranslatedBody: json, responseBody: json, places: [] }

  const responseBody = form.toContractResponse(operation, status, json, page)
  // A refusal shows no records, so that nothing is at another place.
  if (findOutcome(status) !== 'accepted')
    return { untranslatedBody: json, responseBody, places: [] }

  return {
    untranslatedBody: form.moveToDeclaredPlaces(operation, json),
    responseBody,
    places: form.listOtherPlaces(operation, json),
  }
}

/**
 * The JSON of a response. An object or an array is read whatever the media type says: a wrong media
 * type is one difference, and not one in everything that the response shows.
 */
function readJson({ headers, text }: ReceivedResponse, readBody: ReadBody): unknown {
  const isNamedJson = /[/+]json\b/i.test(String(headers['content-type'] ?? ''))
  const looksLikeJson = /^\s*[[{]/.test(text)
  return isNamedJson || looksLikeJson ? readBody(text).json : undefined
}

/**
 * Lists where a response differs from the declaration of its operation. Parts that the history does not
 * have make no difference. Empty without a response, or if the contract has no such operation.
 *
 * @param json The body as JSON; undefined if it is none.
 */
function validateResponse(
  response: ReceivedResponse | undefined,
  operation: Operation | undefined,
  { json, unknown }: { readonly json: unknown; readonly unknown: Unknown },
): Finding[] {
  if (!response || !operation) return []

  const { status, headers, text } = response
  const { validator, declaration } = operation
  // A text that is no JSON is compared as a string, which differs from any schema of an object.
  const isNoJson = json === undefined && text !== ''
  const body = isNoJson ? text : json
  const message = body === undefined ? { status, headers } : { status, headers, body }
  // With this option, fields that the contract does not declare are differences too.
  const differences = validator.validateResponse(declaration, message, { unknown: true })
  const unknownParts = { pointers: unknown.responseBody, headers: unknown.responseHeaders }
  return differences.filter((difference) => !mayComeFromUnknown(difference, unknownParts))
}
