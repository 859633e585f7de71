import { nodeOf } from '../model/document.ts'
import type { Reply } from '../transport/transport.ts'

/** What is put in place of a value; undefined takes it away. */
export type Edit = (now: unknown) => { readonly value: unknown } | 'remove' | undefined

/** Changes the bodies of answers at one place, wherever an item has it. */
export function atPath(path: readonly string[], edit: Edit): (reply: Reply) => Reply | undefined {
  return (reply) => {
    const body = bodyOf(reply)
    if (body === undefined) return undefined
    const state = { changed: false }
    const changed = edited(body, path, (now) => {
      const made = edit(now)
      if (made !== undefined) state.changed = true
      return made
    })
    return state.changed ? withText(reply, JSON.stringify(changed)) : undefined
  }
}

/** An answer with another text, and its length where it tells one. */
export function withText(reply: Reply, text: string): Reply {
  const { 'content-length': length, ...headers } = reply.headers
  const told = length === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) }
  return { ...reply, headers: { ...headers, ...told }, text }
}

/** An answer without a header; undefined where it has none of this name. */
export function withoutHeader(reply: Reply, name: string): Reply | undefined {
  const { [name]: dropped, ...headers } = reply.headers
  return dropped === undefined ? undefined : { ...reply, headers }
}

/** An answer with another header; undefined where it has none of this name. */
export function withHeader(reply: Reply, name: string, value: string): Reply | undefined {
  return reply.headers[name] === undefined
    ? undefined
    : { ...reply, headers: { ...reply.headers, [name]: value } }
}

function bodyOf({ text }: Reply): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

const GONE = Symbol('gone')

function edited(value: unknown, [step, ...rest]: readonly string[], edit: Edit): unknown {
  if (step === undefined) return madeBy(edit, value)
  if (step === '*') {
    if (!Array.isArray(value)) return value
    return value.map((item) => edited(item, rest, edit)).filter((it) => it !== GONE)
  }
  if (Array.isArray(value) || !Object.hasOwn(nodeOf(value), step)) return value
  const { [step]: now, ...others } = nodeOf(value)
  const made = edited(now, rest, edit)
  return made === GONE ? others : { ...nodeOf(value), [step]: made }
}

function madeBy(edit: Edit, now: unknown): unknown {
  const made = edit(now)
  if (made === undefined) return now
  return made === 'remove' ? GONE : made.value
}
