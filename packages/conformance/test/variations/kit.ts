import { type Call, EVERY_OPERATION, withQuery } from '../services/call.ts'
import { isJson, type Json } from '../services/responses.ts'
import type { Relay, TestSandbox } from '../services/sandbox.ts'
import { signed } from '../services/state.ts'
import { onCall, onRequest, onSuccess, type Service, together } from '../services/wrap.ts'

/** The ids of operations, and the types of events. */
export type Scope = ReadonlySet<string>

const EVENTS = [
  'transfer.settled',
  'transfer.rejected',
  'transfer.received',
  'qrcode.paid',
  'qrcode.cancelled',
]
export const EVERYTHING: Scope = new Set([...EVERY_OPERATION, ...EVENTS])

/** The operations of dynamic QR codes. */
export const DYNAMIC_OPERATIONS = [
  'createImmediateQrCode',
  'listImmediateQrCodes',
  'cancelImmediateQrCode',
  'createDueDateQrCode',
  'listDueDateQrCodes',
  'cancelDueDateQrCode',
]

/** The operations and events of dynamic QR codes. */
export const DYNAMIC_QR_CODES: Scope = new Set([
  ...DYNAMIC_OPERATIONS,
  'qrcode.paid',
  'qrcode.cancelled',
  // It names the kind of a code.
  'transfer.received',
])

/** Changes the body of a success, or an event. */
type Show = (body: Json, sandbox: TestSandbox) => unknown

/** Changes successes and deliveries, so that a record is the same in both. */
export function shown(scope: Scope, show: Show): Service {
  return {
    operations: scope,
    ...onSuccess((body, _, sandbox) => show(body, sandbox)),
    relay: delivering((event, sandbox) => {
      const isMeant = scope.has(String(event.type))
      return isMeant ? show(event, sandbox) : event
    }),
  }
}

type Change = (name: string, value: unknown, of: Json) => unknown

/** Changes each field at any depth; undefined removes it. */
export function fields(change: Change): (value: unknown) => unknown {
  return function walk(value): unknown {
    if (Array.isArray(value)) return value.map(walk)
    if (!isJson(value)) return value
    const changed = Object.entries(value).map(([name, fieldValue]) => [
      name,
      walk(change(name, fieldValue, value)),
    ])
    return Object.fromEntries(changed)
  }
}

/** Fields with another representation, optionally in requests too. */
interface Fields {
  /** Default: every field. */
  readonly names?: readonly string[]
  /** Default: every operation and event. */
  readonly scope?: Scope
  readonly show?: (value: string, of: Json) => unknown
  readonly ask?: (value: string) => string
}

/** Changes each string value of the fields. */
export function field({ names, scope = EVERYTHING, show, ask }: Fields): Service {
  const withChange = (change: NonNullable<Fields['show']>) =>
    fields((name, value, of) => {
      const isMeant = names === undefined || names.includes(name)
      return isMeant && typeof value === 'string' ? change(value, of) : value
    })
  const responses = show ? shown(scope, withChange(show)) : {}
  const requests = ask ? asked(scope, withChange(ask)) : {}
  return together(responses, requests)
}

/** Changes the body and the query of requests. */
export function asked(scope: Scope, change: (body: Json) => unknown): Service {
  const changeQuery = (call: Call) => {
    const changes: Record<string, string> = {}
    for (const [name, value] of call.url.searchParams) {
      // A change of an object is an object.
      const changed = change({ [name]: value }) as Json
      const text = String(changed[name])
      if (text !== value) changes[name] = text
    }
    return withQuery(call, changes)
  }
  return { ...together(onCall(changeQuery), onRequest(change)), operations: scope }
}

/** Other values of a field, also in requests, which may no longer use the original ones. */
export function words(
  name: string,
  scope: Scope,
  wordByOriginal: Readonly<Record<string, string>>,
): Service {
  const pairs = Object.entries(wordByOriginal)
  const originalByWord = new Map(pairs.map(([original, word]) => [word, original]))
  return field({
    names: [name],
    scope,
    show(value, of) {
      // The type of an event is not a field of its record.
      const isEvent = 'timestamp' in of
      return isEvent ? value : (wordByOriginal[value] ?? value)
    },
    ask(value) {
      const original = originalByWord.get(value)
      if (original !== undefined) return original
      return value in wordByOriginal ? `not-${value}` : value
    },
  })
}

/** Changes deliveries, and signs them again with the same secrets. */
export function delivering(change: (event: Json, sandbox: TestSandbox) => unknown): Relay {
  return async (posted, send, sandbox) => {
    const body = JSON.stringify(change(JSON.parse(posted.body), sandbox))
    if (body === posted.body) return send(posted)
    return send(await signed(sandbox, posted, { body }))
  }
}
