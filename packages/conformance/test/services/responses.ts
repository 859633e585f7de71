import { STATUS_CODES } from 'node:http'

/** Values by their names; null removes one. */
export type Changes = Readonly<Record<string, string | null>>

/** Changes headers or the parameters of a query. */
export function assign<To extends Headers | URLSearchParams>(to: To, changes: Changes): To {
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) to.delete(name)
    else to.set(name, value)
  }
  return to
}

/** The parts of a response to change. */
interface Parts {
  readonly status?: number
  readonly headers?: Changes
  readonly body?: string | Uint8Array<ArrayBuffer>
}

/** The body of a response, if it is a JSON object. The response can still be read. */
export async function bodyOf(response: Response): Promise<Json | undefined> {
  const type = response.headers.get('content-type') ?? ''
  const text = await response.clone().text()
  if (text === '' || !type.includes('json')) return undefined
  const body: unknown = JSON.parse(text)
  return isJson(body) ? body : undefined
}

/** The code of a refusal; empty for a success. */
export async function codeOf(response: Response): Promise<string> {
  if (response.ok) return ''
  const body = await bodyOf(response)
  return String(body?.code)
}

/** The same response, changed. */
export async function remade(
  response: Response,
  { status = response.status, headers = {}, body }: Parts,
): Promise<Response> {
  const content = body ?? new Uint8Array(await response.arrayBuffer())
  // From bytes, unlike from a string, a Response derives no content-type.
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const isEmpty = status === 204 || bytes.byteLength === 0
  const changed = assign(new Headers(response.headers), headers)
  return new Response(isEmpty ? null : bytes, { status, headers: changed })
}

/** The same response with another body. */
export function withJson(response: Response, body: unknown): Promise<Response> {
  return remade(response, { body: JSON.stringify(body) })
}

/** A valid refusal. */
export function problem(status: number, code: string): Response {
  const request_id = `req_${crypto.randomUUID()}`
  const title = STATUS_CODES[status] ?? 'Error'
  const body = {
    type: 'about:blank',
    title,
    status,
    detail: 'The request was refused.',
    code,
    request_id,
  }
  const headers = { 'content-type': 'application/problem+json', 'x-request-id': request_id }
  return new Response(JSON.stringify(body), { status, headers })
}

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>

/** Converts a value. */
export type Edit = (value: unknown) => unknown

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Changes the value at a JSON pointer; `*` matches every item of an array. The last field of the
 * pointer may be new. If the path to it does not exist, nothing changes.
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

  if (Array.isArray(value)) {
    const isMeant = (index: number) => step === '*' || step === String(index)
    return value.map((item, index) => (isMeant(index) ? changeAt(item, rest, edit) : item))
  }

  if (!isJson(value)) return value
  const isMissing = rest.length > 0 && !(step in value)
  if (isMissing) return value
  return { ...value, [step]: changeAt(value[step], rest, edit) }
}
