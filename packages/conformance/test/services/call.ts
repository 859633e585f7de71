import type { operations } from '@partner-payments/spec'
import { createValidator, type Finding } from '@partner-payments/validator'
import { isJson, type Json } from './responses.ts'

/** The operationIds of the contract, without those of deliveries. */
export type OperationId = Exclude<keyof operations, `on${string}`>

/** A request to the service, with its body read. */
export interface Call {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The body, if it is a JSON object. */
  readonly json: Json | undefined
  /** Undefined if the contract has no such operation. */
  readonly operation: OperationId | undefined
  /** The parameters in the path. */
  readonly path: Readonly<Record<string, string>>
}

const validator = createValidator()

export async function callOf(request: Request): Promise<Call> {
  const { method, headers } = request
  const url = new URL(request.url)
  const bytes = new Uint8Array(await request.arrayBuffer())
  const found = validator.findOperation(method, url.pathname)
  return {
    method,
    url,
    headers: new Headers(headers),
    bytes,
    json: parsed(bytes),
    // Every operationId of the contract is an OperationId.
    operation: found.found ? (found.operation.id as OperationId) : undefined,
    path: found.found ? found.parameters : {},
  }
}

export function requestOf({ method, url, headers, bytes }: Call): Request {
  const takesBody = method !== 'GET' && method !== 'HEAD' && bytes.byteLength > 0
  if (method !== 'TRACE') return new Request(url, { method, headers, body: takesBody ? bytes : null })
  // Request refuses this method, but a server has to respond to it.
  return Object.defineProperty(new Request(url, { headers }), 'method', { value: method })
}

/** The same call with another body. Its content-type stays, so that a wrong one is still refused. */
export function withBody(call: Call, json: Json): Call {
  const bytes = new TextEncoder().encode(JSON.stringify(json))
  return { ...withHeaders(call, { 'content-length': null }), bytes, json }
}

/** The same call with other headers; null removes a header. */
export function withHeaders(call: Call, changes: Readonly<Record<string, string | null>>): Call {
  const headers = new Headers(call.headers)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) headers.delete(name)
    else headers.set(name, value)
  }
  return { ...call, headers }
}

/** The same call with other query parameters; null removes one. */
export function withQuery(call: Call, changes: Readonly<Record<string, string | null>>): Call {
  const url = new URL(call.url)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  return { ...call, url }
}

/** The same call for another record, whose id ends the path. */
export function withId(call: Call, id: string): Call {
  const url = new URL(call.url)
  url.pathname = url.pathname.replace(/[^/]+$/, id)
  return { ...call, url }
}

/** The same call by another caller; null removes the credentials. */
export function by(call: Call, authorization: string | null): Call {
  return withHeaders(call, { authorization })
}

/** Whether a call is valid by the contract, and its body not too large. */
export function keepsContract(call: Call): boolean {
  return call.bytes.byteLength <= 65_536 && findingsIn(call).every(({ keyword }) => keyword === 'unknown')
}

/** The validation errors and the unknown fields of a call. */
export function findingsIn({ method, url, headers, json: body }: Call): readonly Finding[] {
  const message = { method, path: url.pathname, query: url.search, headers, body }
  return validator.validateRequest(message, { unknown: true })
}

function parsed(bytes: Uint8Array): Json | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return isJson(value) ? value : undefined
  } catch {
    return undefined
  }
}
