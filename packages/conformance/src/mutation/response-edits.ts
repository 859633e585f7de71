import { nodeOf } from '../model/document.ts'
import { type HttpResponse, jsonIn } from '../model/http.ts'

/** Edits a value, or removes it; undefined leaves it as it is. */
export type Edit = (now: unknown) => { readonly value: unknown } | 'remove' | undefined

/** Edits response bodies at one path, in every item of a list. Undefined if nothing changed. */
export function atPath(
  path: readonly string[],
  edit: Edit,
): (response: HttpResponse) => HttpResponse | undefined {
  return (response) => {
    const body = jsonIn(response.text)
    if (body === undefined) return undefined
    const state = { changed: false }
    const changed = edited(body, path, (now) => {
      const result = edit(now)
      if (result !== undefined) state.changed = true
      return result
    })
    return state.changed ? withText(response, JSON.stringify(changed)) : undefined
  }
}

/** Replaces the body, and updates `content-length` if it is there. */
export function withText(response: HttpResponse, text: string): HttpResponse {
  const { 'content-length': length, ...headers } = response.headers
  const lengthHeader = length === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) }
  return { ...response, headers: { ...headers, ...lengthHeader }, text }
}

/** Removes a header; undefined if it is missing. */
export function withoutHeader(response: HttpResponse, name: string): HttpResponse | undefined {
  const { [name]: dropped, ...headers } = response.headers
  return dropped === undefined ? undefined : { ...response, headers }
}

/** Replaces a header; undefined if it is missing. */
export function withHeader(response: HttpResponse, name: string, value: string): HttpResponse | undefined {
  return response.headers[name] === undefined
    ? undefined
    : { ...response, headers: { ...response.headers, [name]: value } }
}

const REMOVED = Symbol('gone')

function edited(value: unknown, [step, ...rest]: readonly string[], edit: Edit): unknown {
  if (step === undefined) return editedBy(edit, value)
  if (step === '*') {
    if (!Array.isArray(value)) return value
    return value.map((item) => edited(item, rest, edit)).filter((it) => it !== REMOVED)
  }
  if (Array.isArray(value) || !Object.hasOwn(nodeOf(value), step)) return value
  const { [step]: now, ...others } = nodeOf(value)
  const result = edited(now, rest, edit)
  return result === REMOVED ? others : { ...nodeOf(value), [step]: result }
}

function editedBy(edit: Edit, now: unknown): unknown {
  const result = edit(now)
  if (result === undefined) return now
  return result === 'remove' ? REMOVED : result.value
}
