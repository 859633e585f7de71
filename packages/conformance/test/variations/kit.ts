import { createHmac, hash } from 'node:crypto'
import { createValidator, type Finding } from '@partner-payments/validator'
import { type Call, withBody } from '../faulty/call.ts'
import { isJson, type Json } from '../faulty/json.ts'
import type { Posted } from '../faulty/relay.ts'
import { bodyOf, problem, remade, withJson } from '../faulty/reply.ts'
import type { Relay, World } from '../faulty/world.ts'
import { before, refusal, reply, type Wrap } from '../faulty/wrap.ts'
import { type Service, together } from './service.ts'

/** Changes what is shown. `subject` is the operationId, or the type of an event, whose whole body comes. */
export type Show = (body: Json, subject: string, world: World) => unknown

/** Changes successes and deliveries alike, so that a record is the same wherever it is shown. */
export function shown(scope: RegExp, show: Show): Service {
  return {
    wrap: reply(undefined, async (response, { operation = '' }, world) => {
      const body = response.ok && operation && scope.test(operation) ? await bodyOf(response) : undefined
      return body ? withJson(response, show(body, operation, world)) : response
    }),
    relay: delivering((event, world) =>
      scope.test(String(event.type)) ? show(event, String(event.type), world) : event,
    ),
  }
}

/** Changes the successes of an operation, and no deliveries. */
export function responding(scope: RegExp, show: Show): Service {
  const { relay: _, ...service } = shown(scope, show)
  return service
}

type Change = (name: string, value: unknown, of: Json) => unknown

/** Changes each field, however deep; undefined leaves it out. */
export function fields(change: Change): (value: unknown) => unknown {
  return function walk(value): unknown {
    if (Array.isArray(value)) return value.map(walk)
    if (!isJson(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, it]) => [name, walk(change(name, it, value))]),
    )
  }
}

/** Fields that are shown in another way, and perhaps asked for in that way too. */
export interface Field {
  readonly name: RegExp
  readonly scope?: RegExp
  readonly show?: (value: string, of: Json) => unknown
  readonly ask?: (value: string) => string
}

/** Changes each string that is the value of a field. */
export function field({ name, scope = /./, show, ask }: Field): Service {
  const to = (change: Field['show']) =>
    fields((it, value, of) =>
      name.test(it) && typeof value === 'string' && change ? change(value, of) : value,
    )
  return together(show ? shown(scope, to(show)) : {}, ask ? { wrap: asked(scope, to(ask)) } : {})
}

/** Changes the body and the query of requests. What is as it was is sent as it came. */
export function asked(scope: RegExp, change: (body: Json, call: Call, world: World) => unknown): Wrap {
  return before(undefined, (call, world) => {
    if (!scope.test(String(call.operation))) return call
    const url = new URL(call.url)
    for (const [name, value] of call.url.searchParams) {
      const to = String((change({ [name]: value }, call, world) as Json)[name])
      if (to !== value) url.searchParams.set(name, to)
    }
    const to = url.search === call.url.search ? call : { ...call, url }
    const json = call.json && (change(call.json, call, world) as Json)
    return json && JSON.stringify(json) !== JSON.stringify(call.json) ? withBody(to, json) : to
  })
}

/** Other words for the values of a field, in requests too, which may no longer say the old ones. */
export function words(name: RegExp, scope: RegExp, table: Readonly<Record<string, string>>): Service {
  const olds = new Map(Object.entries(table).map(([old, word]) => [word, old]))
  return field({
    name,
    scope,
    // The type of an event is no field of its record.
    show: (value, of) => ('timestamp' in of ? value : (table[value] ?? value)),
    ask: (value) => olds.get(value) ?? (value in table ? `not-${value}` : value),
  })
}

/** What responses and deliveries on dynamic QR codes are about. */
export const DYNAMIC = /(DueDate|Immediate)QrCode|^qrcode\./

/** Changes each dynamic QR code, wherever it is shown. */
export function records(show: (record: Json) => unknown): Service {
  return shown(DYNAMIC, (body, subject) => {
    if (subject.startsWith('qrcode.')) return { ...body, data: show(body.data as Json) }
    return Array.isArray(body.data) ? { ...body, data: body.data.map(show) } : show(body)
  })
}

/** Other statuses of refusals, in their bodies too. */
export function statuses(table: Readonly<Record<number, number>>): Service {
  return {
    wrap: refusal(async (response) => {
      const status = table[response.status] ?? response.status
      const body = await bodyOf(response)
      return remade(response, { status, ...(body && { body: JSON.stringify({ ...body, status }) }) })
    }),
  }
}

/** Another body of each refusal. */
export function refusals(type: string | null, body: (problem: Json, status: number) => unknown): Service {
  return {
    wrap: refusal(async (response) => {
      const made = body((await bodyOf(response)) ?? {}, response.status)
      const text = typeof made === 'string' ? made : JSON.stringify(made)
      return remade(response, { body: text, headers: { 'content-type': type } })
    }),
  }
}

/** Refuses what the contract allows. What is refused anyway is refused as ever. */
export function refusing(
  scope: RegExp,
  [status, code]: readonly [number, string],
  test: (body: Json, call: Call, world: World) => unknown,
): Service {
  return {
    wrap: (world) => async (call, next) => {
      const isMeant = scope.test(String(call.operation)) && keeps(call) && (await callerIn(call, world))
      return isMeant && (await test(call.json ?? {}, call, world)) ? problem(status, code) : next(call)
    },
  }
}

const validator = createValidator()

/** What is wrong with a request, and what of it the contract does not mention. */
export function findingsIn({ method, url, headers, json: body }: Call): readonly Finding[] {
  const message = { method, path: url.pathname, query: url.search, headers, body }
  return validator.validateRequest(message, { unknown: true })
}

/** Whether nothing of the contract is broken, and the body is not too large. */
export function keeps(call: Call): boolean {
  const isRead = call.operation !== undefined && call.bytes.byteLength <= 65_536
  return isRead && findingsIn(call).every(({ keyword }) => keyword === 'unknown')
}

/** Who a token stands for. */
export type Caller = { partner_id: string; customer_id: string | null; account_id: string }

export async function callerIn({ headers }: Call, world: World): Promise<Caller | undefined> {
  const token = /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? ''
  const sql = 'SELECT partner_id, customer_id, account_id FROM tokens WHERE hash = ? AND expires_at > ?'
  const [caller] = await rows<Caller>(world, sql, hashOf(token), world.app.clock.now())
  return caller
}

export function hashOf(token: unknown): string {
  return hash('sha256', String(token), 'base64url')
}

/** Rows of the state itself. */
export function rows<T extends Json = Json>(
  { app }: World,
  sql: string,
  ...values: readonly (string | number)[]
) {
  // The statement says what a row has.
  return app.store.read((queries) => queries.all(sql, values)) as unknown as Promise<T[]>
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

/** A success in place of what was responded. */
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

/** Changes deliveries, and signs them anew with the secrets that signed them. */
export function delivering(change: (event: Json, world: World) => unknown, keyOf = standardKey): Relay {
  return async (posted, send, world) => {
    const body = JSON.stringify(change(JSON.parse(posted.body), world))
    const isSame = body === posted.body && keyOf === standardKey
    return send(isSame ? posted : await signedAnew(posted, body, world, keyOf))
  }
}

/** The same delivery with another body, and perhaps another id. */
export async function signedAnew(
  posted: Posted,
  body: string,
  world: World,
  keyOf = standardKey,
  id = posted.headers['webhook-id'] ?? '',
): Promise<Posted> {
  const secrets = await secretsOf(posted, world)
  const headers = { ...posted.headers, 'webhook-id': id }
  const signatures = secrets.map((it) => signature(keyOf(it), { headers }, body))
  return { ...posted, body, headers: { ...headers, 'webhook-signature': signatures.join(' ') } }
}

/** The secrets that signed a delivery, the new one first. */
export async function secretsOf(posted: Posted, world: World): Promise<string[]> {
  const all = await rows<{ secret: string; old_secret: string | null }>(
    world,
    'SELECT secret, old_secret FROM webhooks',
  )
  const by = new Map(
    all
      .flatMap(({ secret, old_secret }) => [secret, old_secret ?? secret])
      .map((it) => [signature(standardKey(it), posted, posted.body), it]),
  )
  return (posted.headers['webhook-signature'] ?? '').split(' ').flatMap((it) => by.get(it) ?? [])
}

function standardKey(secret: string): Buffer {
  return Buffer.from(secret.replace('whsec_', ''), 'base64')
}

/** A signature of Standard Webhooks. */
function signature(key: Buffer, { headers }: Pick<Posted, 'headers'>, body: string): string {
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
}
