import { behaviour } from '../../src/contract/behaviour.ts'
import { type Operation, readContract } from '../../src/contract/contract.ts'
import { fieldsOf, valueAt } from '../../src/contract/json.ts'
import type { RecordedExchange } from '../../src/history.ts'
import type { Json, Manner, Refusal, Step, Story, Who } from './story.ts'
import { example } from './values.ts'

export const CONTRACT = readContract()
const PREFIX = '/mobile-bff/v1'

/**
 * Sends any request.
 *
 * @param line The method and the path, such as `GET /partner/user`.
 * @param response The JSON of a right response.
 */
export function call(
  line: string,
  body: Json | string | undefined,
  response: Json | string | undefined,
  manner: Manner = {},
): Step {
  const [method = '', path = ''] = line.split(' ')
  const { lost, ms = 1 } = manner
  return (story) => {
    // A short path has no prefix.
    const fullPath = CONTRACT.find(method, path) ? path : PREFIX + path
    const operation = CONTRACT.find(method, fullPath)?.operation
    const intent = findIntent(story, method, fullPath, manner)
    const request = {
      method,
      path: fullPath,
      headers: buildHeaders(body, manner),
      ...(body !== undefined && { body: toText(body) }),
    }
    const id = `req_${story.events.length}`

    story.events.push({
      type: 'exchange',
      ...(intent && { intent }),
      sentAt: story.now,
      completeAt: story.now + ms,
      request,
      ...(typeof lost === 'string' && { failure: lost }),
      ...(!lost && { response: buildResponse(operation, id, response, manner) }),
    })
    // A request that takes longer is beside the next one.
    story.now += ms > 1 ? 1 : 2
  }
}

/** The intent of a variant: which earlier request it edits, and where. Undefined if it is none. */
function findIntent(
  story: Story,
  method: string,
  path: string,
  { variant, isNotation }: Manner,
): RecordedExchange['intent'] {
  if (!variant && !isNotation) return undefined
  const editedRequest = findEditedRequest(story, method, path)
  if (!editedRequest) return undefined
  return {
    variantOf: editedRequest.sentAt,
    ...(typeof variant === 'string' && { edit: variant }),
    ...(Array.isArray(variant) && { edits: variant }),
    ...(isNotation && { isNotation }),
  }
}

/** The headers of a request, with the token of its sender. */
function buildHeaders(
  body: Json | string | undefined,
  { by = 'partner', authorization, headers }: Manner,
): Record<string, string> {
  const bearer = by === null ? undefined : `Bearer token-of-${by}`
  const credentials = authorization ?? bearer
  return {
    ...(credentials && { authorization: credentials }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  }
}

/** The response of a step: its refusal, or the JSON of a success. */
function buildResponse(
  operation: Operation | undefined,
  id: string,
  shown: Json | string | undefined,
  { refused, status, shows, responds }: Manner,
) {
  if (refused !== undefined) {
    const refusal = buildRefusal(operation, refused, id)
    return receivedResponse(status ?? Number(refusal.status), id, 'application/problem+json', {
      json: refusal,
      responds,
    })
  }
  const json = typeof shown === 'object' ? { ...shown, ...shows } : shown
  return receivedResponse(status ?? Number(successStatus(operation)), id, 'application/json', {
    json,
    responds,
  })
}

/** A response with its usual headers. */
function receivedResponse(
  status: number,
  id: string,
  contentType: string,
  { json, responds }: { json: Json | string | undefined; responds: Manner['responds'] },
) {
  const headers: Record<string, string> = {
    'x-request-id': id,
    ...(json && { 'content-type': contentType }),
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...responds,
  }
  return { status, headers, text: json === undefined ? '' : toText(json) }
}

/** The example of a refusal by this operation, or by another one with the same code. */
function buildRefusal(operation: Operation | undefined, refused: Refusal, id: string): Json {
  const fields = typeof refused === 'string' ? { code: refused } : refused
  const responses = behaviour.refusals[fields.code]?.responses ?? []
  const ofOperation = responses.find(({ operations }) =>
    operations.some((name) => name === operation?.id),
  )
  const { example: declared } = ofOperation ?? responses[0] ?? {}
  return { ...example('notFound'), ...declared, ...fields, request_id: id }
}

/** The first declared status of a success. */
function successStatus(operation: Operation | undefined): string {
  if (!operation) return '200'
  const responses = valueAt(
    operation.validator.document,
    `${operation.declaration.pointer}/responses`,
  )
  const statuses = Object.keys(fieldsOf(responses))
  return statuses.find((status) => status.startsWith('2')) ?? '200'
}

/** The last request of the same operation that was accepted, or the last one of all. */
function findEditedRequest(
  { events }: Story,
  method: string,
  path: string,
): RecordedExchange | undefined {
  const exchanges = events.filter((event) => event.type === 'exchange')
  const accepted = exchanges.findLast(
    ({ request, response }) =>
      request.method === method && request.path === path && response?.status === 200,
  )
  return accepted ?? exchanges.at(-1)
}

/** A body as it is sent: a string as it is, anything else as JSON. */
function toText(body: Json | string): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

/** Signs in, or gets the token of the customer. */
export function signIn(who: Who, manner: Manner = {}): Step {
  const tokens = { access_token: `token-of-${who}`, refresh_token: `refresh-of-${who}` }
  if (who === 'customer') {
    const response = { ...example('customerTokens'), ...tokens }
    return call('POST /auth/partner/impersonate/', example('actForCustomer'), response, manner)
  }
  const authorization = `Basic ${btoa(`${who}:secret`)}`
  const response = { ...example('partnerTokens'), ...tokens }
  return call('POST /auth/partner/token/', undefined, response, { authorization, ...manner })
}
