import { setImmediate } from 'node:timers/promises'
import { catalogueEntry } from '../behaviour.ts'
import type { Schemas } from '../contract.ts'
import type { Received } from '../deliveries/attempt.ts'
import type { Sent } from '../deliveries/deliver.ts'
import { notFound } from '../problems.ts'
import type { Message } from '../service/service.ts'
import { masked, maskedHeaders } from './mask.ts'
import type { Bytes, Recorder } from './recorder.ts'

/**
 * One request and its response for display: secrets are masked. If the request was refused,
 * `refusal` explains the error code.
 *
 * @throws {Refusal} `not_found` if the request is no longer remembered
 */
export function showExchange(recorder: Recorder, request_id: string) {
  const recorded = recorder.find(request_id) ?? notFound()
  const { method, path, query, code } = recorded
  const response = recorded.response && describeMessage(recorded.response)
  return {
    method,
    path: masked(path),
    query: masked(query),
    request: describeMessage(recorded.request),
    response,
    refusal: code === undefined ? null : describeRefusal(code, response),
  }
}

/**
 * The request and response of one delivery attempt, or null if nothing was sent or it is no longer
 * remembered.
 */
export async function describeAttempt(sent: Sent | undefined) {
  if (!sent) return null
  // Masking takes time. Other requests are served between two attempts.
  await setImmediate()
  const { url, headers, body, received } = sent
  return {
    url: masked(url),
    headers: maskedHeaders(Object.entries(headers)),
    signed_content: `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`,
    response: received ? describeResponse(received) : null,
  }
}

function describeResponse({ headers, body }: Received) {
  return describeMessage({ headers, body: { start: body, size: body.byteLength } })
}

function describeMessage({
  headers,
  body,
}: Pick<Message, 'headers'> & { readonly body: Bytes | null }) {
  return { headers: maskedHeaders(headers), body: body && describeBody(body) }
}

type MaskedMessage = ReturnType<typeof describeMessage>

/** `bytes` is the full length; `text` is the start. */
function describeBody({ start, size }: Bytes) {
  return { text: masked(start.toString()), bytes: size, is_cut: start.byteLength < size }
}

function describeRefusal(code: string, response: MaskedMessage | null) {
  const { when = '', fix = '', question = null } = catalogueEntry(code) ?? {}
  const { detail = '', errors = [] } = parseProblem(response)
  return { code, detail, errors, when, fix, question }
}

/** The problem details of a response; empty if its body was cut, which cannot be parsed. */
function parseProblem(response: MaskedMessage | null): Partial<Schemas['Problem']> {
  try {
    return JSON.parse(response?.body?.text ?? '{}')
  } catch {
    return {}
  }
}
