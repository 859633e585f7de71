import { catalogue } from '../behaviour.ts'
import type { Received } from '../deliveries/attempt.ts'
import type { Sent } from '../deliveries/deliver.ts'
import { notFound } from '../problems.ts'
import { masked, maskedHeaders } from './mask.ts'
import type { Bytes, RecordedExchange, Recorder } from './recorder.ts'

/**
 * One request and its response for display: secrets are masked, and a refusal has its cause.
 *
 * @throws {Refusal} `not_found` if the request is no longer remembered
 */
export function exchangeOf(recorder: Recorder, request_id: string) {
  const { query, request, response, code, ...line } = recorder.find(request_id) ?? notFound()
  return {
    ...line,
    query: masked(query),
    request: messageOf(request),
    response: response && messageOf(response),
    refusal: code === undefined ? null : refusalOf(code, response),
  }
}

/** The request and response of one delivery attempt, or null if nothing was sent or it is no longer remembered. */
export async function attemptExchangeOf(sent: Sent | undefined) {
  if (!sent) return null
  const { url, headers, body, received } = sent
  return {
    url: masked(url),
    headers: maskedHeaders(Object.entries(headers)),
    signed_content: `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`,
    response: received ? await receivedOf(received) : null,
  }
}

async function receivedOf({ headers, body }: Received) {
  const fields = Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
  const bytes = await body
  return messageOf({ headers: fields, body: { start: bytes, size: bytes.byteLength } })
}

function messageOf({ headers, body }: RecordedExchange['request']) {
  return { headers: maskedHeaders(headers), body: body && bodyOf(body) }
}

/** `bytes` is the full length; `text` is the start. */
function bodyOf({ start, size }: Bytes) {
  return { text: masked(start.toString()), bytes: size, is_cut: start.byteLength < size }
}

function refusalOf(code: string, response: RecordedExchange['response']) {
  const { when = '', fix = '', question = null } = catalogue[code] ?? {}
  const { detail = '', errors = [] } = problemIn(response)
  return { code, detail: masked(detail), errors, when, fix, question }
}

interface ShownProblem {
  readonly detail?: string
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[]
}

/** A truncated body cannot be parsed, so it is only shown as text. */
function problemIn(response: RecordedExchange['response']): ShownProblem {
  try {
    return JSON.parse(response?.body?.start.toString() ?? '{}') as ShownProblem
  } catch {
    return {}
  }
}
