import { hash } from 'node:crypto'
import { sign } from '@partner-payments/webhooks'
import type { Call } from './call.ts'
import type { Posted } from './listen.ts'
import type { Json } from './responses.ts'
import { sqlValue, type TestSandbox } from './sandbox.ts'

/** Rows of the state. */
export function rowsOf(
  { app }: TestSandbox,
  sql: string,
  ...values: readonly unknown[]
): Promise<Json[]> {
  return app.store.read((queries) => queries.all(sql, values.map(sqlValue)))
}

export async function rowOf(
  sandbox: TestSandbox,
  sql: string,
  ...values: readonly unknown[]
): Promise<Json | undefined> {
  const [first] = await rowsOf(sandbox, sql, ...values)
  return first
}

export interface Caller {
  readonly partner_id: string
  readonly customer_id: string | null
  readonly account_id: string
}

/** The caller of a valid token; undefined for an invalid one. */
export async function callerOf(
  { headers }: Call,
  sandbox: TestSandbox,
): Promise<Caller | undefined> {
  const authorization = headers.get('authorization') ?? ''
  const token = authorization.replace(/^bearer +/i, '')
  const hashed = hash('sha256', token, 'base64url')
  const sql = `SELECT partner_id, customer_id, account_id FROM tokens
    WHERE hash = ? AND expires_at > ?`
  const row = await rowOf(sandbox, sql, hashed, sandbox.app.clock.now())
  // The columns of a Caller.
  return row as Caller | undefined
}

/** The Authorization header of the partner of a calling customer. */
export async function ownerOf(call: Call, sandbox: TestSandbox): Promise<string> {
  const caller = await callerOf(call, sandbox)
  const sql = 'SELECT client_key FROM partners WHERE id = ?'
  const row = await rowOf(sandbox, sql, caller?.partner_id)
  if (!row) return ''
  return sandbox.bearer(row.client_key === 'other' ? 'other' : 'partner')
}

/** The kind of the charge of a payment code or its URL, and the request that created it. */
export async function chargeOf(sandbox: TestSandbox, code: unknown) {
  const sql = `SELECT kind, charge FROM qrcodes WHERE (emv = ? OR url = ?) AND kind <> 'Static'`
  const row = await rowOf(sandbox, sql, code, code)
  if (!row) return undefined
  const charge: Json = JSON.parse(String(row.charge))
  return { kind: row.kind, charge }
}

/** The secrets that sign deliveries to a URL, the newest first. */
export async function secretsOf(sandbox: TestSandbox, { url }: Posted): Promise<string[]> {
  const sql = `SELECT secret, CASE WHEN old_secret_until > ? THEN old_secret END AS old
    FROM webhooks WHERE url = ? AND deleted_at IS NULL`
  const rows = await rowsOf(sandbox, sql, sandbox.app.clock.now(), url)
  const secrets = rows.flatMap(({ secret, old }) => [secret, old])
  return secrets.filter((secret) => typeof secret === 'string')
}

/** A delivery with another id, time or body, signed with the secret of its webhook. */
export async function signed(
  sandbox: TestSandbox,
  posted: Posted,
  changes: { readonly id?: string; readonly at?: number; readonly body?: string } = {},
): Promise<Posted> {
  const [first = '', ...rest] = await secretsOf(sandbox, posted)
  const { id = String(posted.headers['webhook-id']), body = posted.body } = changes
  const atMs = changes.at ?? Number(posted.headers['webhook-timestamp']) * 1000
  const headers = await sign(body, [first, ...rest], { id, now: () => atMs })
  return { ...posted, headers: { ...posted.headers, ...headers }, body }
}

/** The full-date at a moment in UTC. */
export function dayAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
