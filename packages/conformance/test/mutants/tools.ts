import { hash } from 'node:crypto'
import { sign } from '@partner-payments/webhooks'
import { type Call, keepsContract } from '../services/call.ts'
import { isJson, type Json } from '../services/json.ts'
import type { Posted } from '../services/relay.ts'
import { bodyOf, problem, remade } from '../services/responses.ts'
import type { TestSandbox } from '../services/sandbox.ts'
import type { Next, Wrap } from '../services/wrap.ts'

type Values = readonly (string | number | bigint | null)[]

/** Rows of the state. */
export function rowsOf<Row extends object>(
  { app }: TestSandbox,
  sql: string,
  values: Values = [],
): Promise<Row[]> {
  return app.store.read((queries) => queries.all<Row>(sql, values))
}

export async function rowOf<Row extends object>(
  sandbox: TestSandbox,
  sql: string,
  values: Values = [],
): Promise<Row | undefined> {
  return (await rowsOf<Row>(sandbox, sql, values))[0]
}

export interface Caller {
  readonly partner_id: string
  readonly customer_id: string | null
  readonly account_id: string
}

/** The caller of a valid token; undefined for an invalid one. */
export function callerOf({ headers }: Call, sandbox: TestSandbox): Promise<Caller | undefined> {
  const token = (headers.get('authorization') ?? '').replace(/^bearer +/i, '')
  const sql = 'SELECT partner_id, customer_id, account_id FROM tokens WHERE hash = ? AND expires_at > ?'
  return rowOf<Caller>(sandbox, sql, [hash('sha256', token, 'base64url'), sandbox.app.clock.now()])
}

/** The Authorization header of the partner of a calling customer. */
export async function ownerOf(call: Call, sandbox: TestSandbox): Promise<string> {
  const caller = await callerOf(call, sandbox)
  const row = await rowOf<{ client_key: 'partner' | 'other' }>(
    sandbox,
    'SELECT client_key FROM partners WHERE id = ?',
    [caller?.partner_id ?? ''],
  )
  return row ? sandbox.bearer(row.client_key) : ''
}

/** A charge in the store. */
interface Charge {
  readonly id: string
  readonly kind: string
  readonly status: string
  readonly charge: Json
}

/** The charge of a payment code or its URL. */
export async function chargeOf(sandbox: TestSandbox, code: unknown): Promise<Charge | undefined> {
  const sql = `SELECT id, kind, status, charge FROM qrcodes WHERE (emv = ? OR url = ?) AND kind <> 'Static'`
  const row = await rowOf<{ id: string; kind: string; status: string; charge: string }>(sandbox, sql, [
    String(code),
    String(code),
  ])
  return row && { ...row, charge: JSON.parse(row.charge) }
}

/** The full-date at a moment, in a time zone of this offset in hours. */
export function dayAt(ms: number, hours = 0): string {
  return new Date(ms + hours * 3_600_000).toISOString().slice(0, 10)
}

/** The UTC offset of Brazil's official time in hours. */
export const BRAZIL = -3

/** Today in Brazil and in UTC. They differ in the last three hours of a Brazilian day. */
export function todayOf({ app }: TestSandbox): { here: string; utc: string } {
  const now = app.clock.now()
  return { here: dayAt(now, BRAZIL), utc: dayAt(now) }
}

/** The same day, or Monday for a day on a weekend. */
export function afterWeekend(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return dayAt(Date.parse(day), weekday === 6 ? 48 : weekday === 0 ? 24 : 0)
}

/** Centavos of an amount of the contract. */
export function centavosOf(amount: unknown): bigint {
  const [reais = '0', cents = ''] = String(amount ?? '0').split('.')
  return BigInt(reais + cents.padEnd(2, '0'))
}

function amountOf(centavos: bigint): string {
  const digits = `${centavos}`.padStart(3, '0')
  return centavos === 0n ? '0' : `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Adds centavos to one part of a checked code, and to its total. */
export function withMore(body: Json, part: 'fine' | 'interest' | 'discount', centavos: bigint): Json {
  const sign = part === 'discount' ? -1n : 1n
  return {
    ...body,
    [part]: amountOf(centavosOf(body[part]) + centavos),
    final_amount: amountOf(centavosOf(body.final_amount) + sign * centavos),
  }
}

export function jsonOf(value: unknown): Json {
  return isJson(value) ? value : {}
}

export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isJson) : []
}

/** Wraps the service, with state that lasts as long as the service. */
export function remembering<Memory>(
  start: () => Memory,
  wrap: (memory: Memory, call: Call, next: Next, sandbox: TestSandbox) => Promise<Response>,
): Wrap {
  return (sandbox) => {
    const memory = start()
    return (call, next) => wrap(memory, call, next, sandbox)
  }
}

/** Returns the previous response to the same request, for this many seconds. */
export function cached(
  seconds: number,
  keyOf: (call: Call) => string | undefined | Promise<string | undefined>,
): Wrap {
  return remembering(
    () => new Map<string, { response: Response; until: number }>(),
    async (memory, call, next, { app }) => {
      const key = keepsContract(call) && call.bytes.byteLength < 65_536 ? await keyOf(call) : undefined
      if (key === undefined) return next(call)
      const known = memory.get(key)
      if (known && app.clock.now() < known.until) return renewed(known.response)
      const response = await next(call)
      if (response.ok)
        memory.set(key, { response: response.clone(), until: app.clock.now() + seconds * 1000 })
      return response
    },
  )
}

/** A cached response gets a new request id. */
function renewed(response: Response): Promise<Response> {
  return remade(response.clone(), { headers: { 'x-request-id': `req_${crypto.randomUUID()}` } })
}

/** Whether a response is a refusal with this code. */
export async function isRefused(response: Response, ...codes: readonly string[]): Promise<boolean> {
  if (response.status < 400) return false
  return codes.includes(String((await bodyOf(response))?.code))
}

/** A refusal that names a field. */
export function refusalAt(status: number, code: string, pointer: string): Promise<Response> {
  const response = problem(status, code)
  const errors = [{ pointer, code, detail: 'It was refused.' }]
  return response
    .json()
    .then((body) => remade(response, { body: JSON.stringify({ ...jsonOf(body), errors }) }))
}

/** A delivery with another id, time or body, signed with the secret of its webhook. */
export async function signed(
  sandbox: TestSandbox,
  posted: Posted,
  changes: { readonly id?: string; readonly at?: number; readonly body?: string } = {},
): Promise<Posted> {
  const sql = `SELECT secret, CASE WHEN old_secret_until > ? THEN old_secret END AS old FROM webhooks
    WHERE url = ? AND deleted_at IS NULL`
  const rows = await rowsOf<{ secret: string; old: string | null }>(sandbox, sql, [
    sandbox.app.clock.now(),
    posted.url,
  ])
  const [first = '', ...rest] = rows.flatMap(({ secret, old }) => [secret, ...(old ? [old] : [])])
  const { id = String(posted.headers['webhook-id']), body = posted.body } = changes
  const at = changes.at ?? Number(posted.headers['webhook-timestamp']) * 1000
  const headers = await sign(body, [first, ...rest], { id, now: () => at })
  return { ...posted, headers: { ...posted.headers, ...headers }, body }
}
