import type { operations } from '@partner-payments/spec'
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { createValidator, type Finding } from '@partner-payments/validator'
import { assign, type Changes, isJson, type Json } from './responses.ts'

/** The operationIds of the contract, without those of deliveries. */
export type OperationId = Exclude<keyof operations, `on${string}`>

/** Every operation of the contract. */
export const EVERY_OPERATION: ReadonlySet<string> = new Set(operationIds())

function operationIds(): string[] {
  const nodes = Object.values(contract.paths).flatMap((path) => Object.values<unknown>(path))
  // A mark of a path is a string.
  const operations = nodes.filter((node) => typeof node === 'object' && node !== null)
  return operations.flatMap((node) => ('operationId' in node ? [String(node.operationId)] : []))
}

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
  const message = {
    method,
    url,
    headers: new Headers(headers),
    bytes,
    json: jsonOf(bytes),
  }
  const match = validator.findOperation(method, url.pathname)
  if (!match.found) return { ...message, operation: undefined, path: {} }
  // Every operationId of the contract is an OperationId.
  return { ...message, operation: match.operation.id as OperationId, path: match.parameters }
}

/** The methods whose requests have no body. */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'TRACE'])

export function requestOf({
  method,
  url,
  headers,
  bytes,
}: Omit<Call, 'json' | 'operation' | 'path'>): Request {
  const isEmpty = bytes.byteLength === 0 || WITHOUT_BODY.has(method)
  const body = isEmpty ? null : bytes
  if (method !== 'TRACE') return new Request(url, { method, headers, body })
  // Request refuses this method, but a server has to respond to it.
  const request = new Request(url, { method: 'GET', headers, body })
  return Object.defineProperty(request, 'method', { value: method })
}

/**
 * The same call with another body. Its content-type stays, so that a wrong one is still refused. Spaces at its end
 * make up for a shorter text, so that a body which was too large is still refused.
 */
export function withBody(call: Call, json: Json): Call {
  const text = JSON.stringify(json)
  const missingBytes = Math.max(0, call.bytes.length - Buffer.byteLength(text))
  const bytes = new TextEncoder().encode(text + ' '.repeat(missingBytes))
  return { ...withHeaders(call, { 'content-length': null }), bytes, json }
}

/** The same call with other headers; null removes a header. */
export function withHeaders(call: Call, changes: Changes): Call {
  return { ...call, headers: assign(new Headers(call.headers), changes) }
}

/** The same call with other query parameters; null removes one. */
export function withQuery(call: Call, changes: Changes): Call {
  const url = new URL(call.url)
  assign(url.searchParams, changes)
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

/** The largest body that the contract allows. */
const MAX_BYTES = 65_536

/** Whether a call is valid by the contract, and its body not too large. */
export function keepsContract(call: Call): boolean {
  if (call.bytes.byteLength > MAX_BYTES) return false
  return findingsIn(call).every(({ keyword }) => keyword === 'unknown')
}

/** The validation errors and the unknown fields of a call. */
export function findingsIn({ method, url, headers, json: body }: Call): readonly Finding[] {
  const message = { method, path: url.pathname, query: url.search, headers, body }
  return validator.validateRequest(message, { unknown: true })
}

function jsonOf(bytes: Uint8Array): Json | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return isJson(value) ? value : undefined
  } catch {
    return undefined
  }
}
