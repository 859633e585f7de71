import { type Call, withQuery } from '../services/call.ts'
import { isJson, type Json } from '../services/responses.ts'
import type { Relay, TestSandbox } from '../services/sandbox.ts'
import { signed } from '../services/state.ts'
import { onCall, onRequest, onSuccess, type Service, together } from '../services/wrap.ts'

/** Changes the body of a success, or an event. */
type Show = (body: Json, sandbox: TestSandbox) => unknown

/** Changes successes and deliveries, so that a record is the same in both. */
export function shown(scope: RegExp, show: Show): Service {
  return {
    operations: scope,
    ...onSuccess((body, _, sandbox) => show(body, sandbox)),
    relay: delivering((event, sandbox) =>
      scope.test(String(event.type)) ? show(event, sandbox) : event,
    ),
  }
}

type Change = (name: string, value: unknown, of: Json) => unknown

/** Changes each field at any depth; undefined removes it. */
export function fields(change: Change): (value: unknown) => unknown {
  return function walk(value): unknown {
    if (Array.isArray(value)) return value.map(walk)
    if (!isJson(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, it]) => [name, walk(change(name, it, value))]),
    )
  }
}

/** A field with another representation, optionally in requests too. */
interface Field {
  readonly name: RegExp
  readonly scope?: RegExp
  readonly show?: (value: string, of: Json) => unknown
  readonly ask?: (value: string) => string
}

/** Changes each string value of a field. */
export function field({ name, scope = /./, show, ask }: Field): Service {
  const to = (change: NonNullable<Field['show']>) =>
    fields((it, value, of) =>
      name.test(it) && typeof value === 'string' ? change(value, of) : value,
    )
  return together(show ? shown(scope, to(show)) : {}, ask ? asked(scope, to(ask)) : {})
}

/** Changes the body and the query of requests. */
export function asked(scope: RegExp, change: (body: Json) => unknown): Service {
  const inQuery = (call: Call) => {
    const changes: Record<string, string> = {}
    for (const [name, value] of call.url.searchParams) {
      const to = String((change({ [name]: value }) as Json)[name])
      if (to !== value) changes[name] = to
    }
    return withQuery(call, changes)
  }
  return { ...together(onCall(inQuery), onRequest(change)), operations: scope }
}

/** Other values of a field, also in requests, which may no longer use the original ones. */
export function words(
  name: RegExp,
  scope: RegExp,
  table: Readonly<Record<string, string>>,
): Service {
  const olds = new Map(Object.entries(table).map(([old, word]) => [word, old]))
  return field({
    name,
    scope,
    // The type of an event is not a field of its record.
    show: (value, of) => ('timestamp' in of ? value : (table[value] ?? value)),
    ask: (value) => olds.get(value) ?? (value in table ? `not-${value}` : value),
  })
}

/** Matches operations and events of dynamic QR codes. */
export const DYNAMIC = /(DueDate|Immediate)QrCode|^qrcode\./

/** Changes deliveries, and signs them again with the same secrets. */
export function delivering(change: (event: Json, sandbox: TestSandbox) => unknown): Relay {
  return async (posted, send, sandbox) => {
    const body = JSON.stringify(change(JSON.parse(posted.body), sandbox))
    return send(body === posted.body ? posted : await signed(sandbox, posted, { body }))
  }
}
