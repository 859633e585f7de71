import { createValidator, type Finding } from '@partner-payments/validator'
import { type Call, withBody } from '../services/call.ts'
import { isJson, type Json } from '../services/json.ts'
import { bodyOf, problem, remade, withJson } from '../services/responses.ts'
import type { Relay, TestSandbox } from '../services/sandbox.ts'
import { callerOf, signed } from '../services/state.ts'
import { before, changeResponse, refusal, type Wrap } from '../services/wrap.ts'
import { type Service, together } from './service.ts'

/** Changes a body. `subject` is the operationId, or the type of an event with its whole body. */
type Show = (body: Json, subject: string, sandbox: TestSandbox) => unknown

/** Changes successes and deliveries, so that a record is the same in both. */
export function shown(scope: RegExp, show: Show): Service {
  return {
    wrap: changeResponse(undefined, async (response, { operation = '' }, sandbox) => {
      const body = response.ok && operation && scope.test(operation) ? await bodyOf(response) : undefined
      return body ? withJson(response, show(body, operation, sandbox)) : response
    }),
    relay: delivering((event, sandbox) =>
      scope.test(String(event.type)) ? show(event, String(event.type), sandbox) : event,
    ),
  }
}

/** Changes the successes of an operation, but no deliveries. */
export function responding(scope: RegExp, show: Show): Service {
  const { relay: _, ...service } = shown(scope, show)
  return service
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
  const to = (change: Field['show']) =>
    fields((it, value, of) =>
      name.test(it) && typeof value === 'string' && change ? change(value, of) : value,
    )
  return together(show ? shown(scope, to(show)) : {}, ask ? { wrap: asked(scope, to(ask)) } : {})
}

/** Changes the body and the query of requests. An unchanged body is sent with its original bytes. */
export function asked(
  scope: RegExp,
  change: (body: Json, call: Call, sandbox: TestSandbox) => unknown,
): Wrap {
  return before(undefined, (call, sandbox) => {
    if (!scope.test(String(call.operation))) return call
    const url = new URL(call.url)
    for (const [name, value] of call.url.searchParams) {
      const to = String((change({ [name]: value }, call, sandbox) as Json)[name])
      if (to !== value) url.searchParams.set(name, to)
    }
    const to = url.search === call.url.search ? call : { ...call, url }
    const json = call.json && (change(call.json, call, sandbox) as Json)
    return json && JSON.stringify(json) !== JSON.stringify(call.json) ? withBody(to, json) : to
  })
}

/** Other values of a field, also in requests, which may no longer use the original ones. */
export function words(name: RegExp, scope: RegExp, table: Readonly<Record<string, string>>): Service {
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

/** Changes each dynamic QR code in responses and deliveries. */
export function records(show: (record: Json) => unknown): Service {
  return shown(DYNAMIC, (body, subject) => {
    if (subject.startsWith('qrcode.')) return { ...body, data: show(body.data as Json) }
    return Array.isArray(body.data) ? { ...body, data: body.data.map(show) } : show(body)
  })
}

/** Other statuses of refusals, also in their bodies. */
export function statuses(table: Readonly<Record<number, number>>): Service {
  return {
    wrap: refusal(async (response) => {
      const status = table[response.status] ?? response.status
      const body = await bodyOf(response)
      return remade(response, { status, ...(body && { body: JSON.stringify({ ...body, status }) }) })
    }),
  }
}

/** Other bodies of refusals. */
export function refusals(type: string | null, body: (problem: Json, status: number) => unknown): Service {
  return {
    wrap: refusal(async (response) => {
      const made = body((await bodyOf(response)) ?? {}, response.status)
      const text = typeof made === 'string' ? made : JSON.stringify(made)
      return remade(response, { body: text, headers: { 'content-type': type } })
    }),
  }
}

/** Refuses valid requests. Invalid requests are still refused as before. */
export function refusing(
  scope: RegExp,
  [status, code]: readonly [number, string],
  test: (body: Json, call: Call, sandbox: TestSandbox) => unknown,
): Service {
  return {
    wrap: (sandbox) => async (call, next) => {
      const isMeant = scope.test(String(call.operation)) && keeps(call) && (await callerOf(call, sandbox))
      return isMeant && (await test(call.json ?? {}, call, sandbox)) ? problem(status, code) : next(call)
    },
  }
}

const validator = createValidator()

/** The validation errors and the unknown fields of a request. */
export function findingsIn({ method, url, headers, json: body }: Call): readonly Finding[] {
  const message = { method, path: url.pathname, query: url.search, headers, body }
  return validator.validateRequest(message, { unknown: true })
}

/** Whether a request is valid, and its body is not too large. */
export function keeps(call: Call): boolean {
  const isRead = call.operation !== undefined && call.bytes.byteLength <= 65_536
  return isRead && findingsIn(call).every(({ keyword }) => keyword === 'unknown')
}

/** Another request by the same caller. */
export function following(call: Call, method: string, path: string, json?: Json): Call {
  const url = new URL(`/mobile-bff/v1${path}`, call.url)
  const bare: Call = {
    ...call,
    method,
    url,
    bytes: new Uint8Array(),
    json: undefined,
    operation: undefined,
    path: {},
  }
  return json ? withBody(bare, json) : bare
}

/** A success that replaces a response. */
export function success(response: Response, body: unknown, status = 200): Promise<Response> {
  return remade(response, {
    status,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
}

export async function codeOf(response: Response): Promise<string> {
  return response.ok ? '' : String((await bodyOf(response))?.code)
}

/** Changes deliveries, and signs them again with the same secrets. */
export function delivering(change: (event: Json, sandbox: TestSandbox) => unknown): Relay {
  return async (posted, send, sandbox) => {
    const body = JSON.stringify(change(JSON.parse(posted.body), sandbox))
    return send(body === posted.body ? posted : await signed(sandbox, posted, { body }))
  }
}
