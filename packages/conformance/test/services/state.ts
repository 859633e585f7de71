import { hash } from 'node:crypto'
import { sign } from '@partner-payments/webhooks'
import type { Call } from './call.ts'
import type { Posted } from './listen.ts'
import type { Json } from './responses.ts'
import type { TestSandbox } from './sandbox.ts'

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

/** Whether a call is by a partner for itself, not for a customer. */
export async function isPartner(call: Call, sandbox: TestSandbox): Promise<boolean> {
  return (await callerOf(call, sandbox))?.customer_id === null
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

/** The secrets that sign deliveries to a URL, the newest first. */
export async function secretsOf(sandbox: TestSandbox, { url }: Posted): Promise<string[]> {
  const sql = `SELECT secret, CASE WHEN old_secret_until > ? THEN old_secret END AS old FROM webhooks
    WHERE url = ? AND deleted_at IS NULL`
  const all = await rowsOf<{ secret: string; old: string | null }>(sandbox, sql, [
    sandbox.app.clock.now(),
    url,
  ])
  return all.flatMap(({ secret, old }) => [secret, ...(old ? [old] : [])])
}

/** A delivery with another id, time or body, signed with the secret of its webhook. */
export async function signed(
  sandbox: TestSandbox,
  posted: Posted,
  changes: { readonly id?: string; readonly at?: number; readonly body?: string } = {},
): Promise<Posted> {
  const [first = '', ...rest] = await secretsOf(sandbox, posted)
  const { id = String(posted.headers['webhook-id']), body = posted.body } = changes
  const at = changes.at ?? Number(posted.headers['webhook-timestamp']) * 1000
  const headers = await sign(body, [first, ...rest], { id, now: () => at })
  return { ...posted, headers: { ...posted.headers, ...headers }, body }
}

/** The full-date at a moment in UTC. */
export function dayAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
