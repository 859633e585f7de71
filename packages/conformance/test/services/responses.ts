import { STATUS_CODES } from 'node:http'
import { isJson, type Json } from './json.ts'

/** The parts of a response to change; null removes a header. */
interface Changes {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | null>>
  readonly body?: string | Uint8Array<ArrayBuffer> | null
}

/** The body of a response, if it is a JSON object. The response can still be read. */
export async function bodyOf(response: Response): Promise<Json | undefined> {
  const text = await response.clone().text()
  const body: unknown =
    text && /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : undefined
  return isJson(body) ? body : undefined
}

/** The code of a refusal; empty for a success. */
export async function codeOf(response: Response): Promise<string> {
  return response.ok ? '' : String((await bodyOf(response))?.code)
}

/** The same response, changed. */
export async function remade(response: Response, changes: Changes): Promise<Response> {
  const { status = response.status, headers: changed = {} } = changes
  const headers = new Headers(response.headers)
  for (const [name, value] of Object.entries(changed)) {
    if (value === null) headers.delete(name)
    else headers.set(name, value)
  }
  const body =
    changes.body === undefined ? new Uint8Array(await response.arrayBuffer()) : bytesOf(changes.body)
  // From bytes, unlike from a string, a Response derives no content-type.
  return new Response(status === 204 || body.byteLength === 0 ? null : body, { status, headers })
}

/** The same response with another body. */
export function withJson(response: Response, body: unknown): Promise<Response> {
  return remade(response, { body: JSON.stringify(body) })
}

/** A valid refusal. */
export function problem(status: number, code: string): Response {
  const request_id = `req_${crypto.randomUUID()}`
  const title = STATUS_CODES[status] ?? 'Error'
  const body = { type: 'about:blank', title, status, detail: 'The request was refused.', code, request_id }
  const headers = { 'content-type': 'application/problem+json', 'x-request-id': request_id }
  return new Response(JSON.stringify(body), { status, headers })
}

function bytesOf(body: string | Uint8Array<ArrayBuffer> | null): Uint8Array<ArrayBuffer> {
  return typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? new Uint8Array())
}
