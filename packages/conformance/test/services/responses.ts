import { STATUS_CODES } from 'node:http'

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

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>

/** Converts a value. */
export type Edit = (value: unknown) => unknown

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Changes the value at a JSON pointer; `*` matches every item of an array. The last field of the pointer may be new. If
 * the path to it does not exist, nothing changes.
 */
export function change(pointer: string, edit: Edit): Edit {
  const steps = pointer.split('/').slice(1)
  return (value) => changeAt(value, steps, edit)
}

export function set(pointer: string, value: unknown): Edit {
  return change(pointer, () => value)
}

function changeAt(value: unknown, steps: readonly string[], edit: Edit): unknown {
  const [step, ...rest] = steps
  if (step === undefined) return edit(value)
  if (Array.isArray(value))
    return value.map((item, i) => (step === '*' || step === String(i) ? changeAt(item, rest, edit) : item))
  if (!isJson(value) || (rest.length > 0 && !(step in value))) return value
  return { ...value, [step]: changeAt(value[step], rest, edit) }
}
