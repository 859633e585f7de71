import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { fill, RARE_TAX_ID } from '../../bench/fill.ts'
import { PARTNERS } from '../../src/seed/data.ts'
import { newDatabase, newFile } from '../backends.ts'
import { newTxId, signInPartner } from '../callers.ts'
import { createSender, examples, prepare, type Send, startForExamples } from '../contract.ts'
import type { Started } from '../started.ts'

// The cost of a request must not grow with the stored data. So the query plan of every statement is
// checked.

/** Tables that grow with use. The others contain only seed data. */
const BIG = [
  'accounts',
  'users',
  'customers',
  'tokens',
  'keys',
  'qrcodes',
  'transfers',
  'entries',
  'webhooks',
  'events',
  'deliveries',
  'attempts',
]

test('it uses an index for every statement on SQLite', async () => {
  const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare')
  const file = newFile()
  const sandbox = await startForExamples({ file })
  // Seeding the state is not part of serving.
  prepared.mockClear()
  await serveAll(sandbox)
  const statements = new Set(prepared.mock.calls.map(([sql]) => sql))
  prepared.mockRestore()
  expect(statements.size).toBeGreaterThan(50)

  const database = new DatabaseSync(file)
  const scans = [...statements].flatMap((sql) => scansOf(database, sql))
  database.close()
  await sandbox.close()
  expect(scans).toEqual([])
})

test('it visits few of many rows for every statement on PostgreSQL', async () => {
  const databaseUrl = await newDatabase()
  // The rows below have invalid values.
  const sandbox = await startForExamples({ databaseUrl, checksResponses: false })
  const size = {
    transfers: FILLED,
    codes: FILLED,
    accounts: FILLED,
    deliveries: FILLED,
    url: sandbox.url,
  }
  await fill(sandbox.store, size, sandbox.clock.now() + DAY_MS)

  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query('ANALYZE')

  const queried = vi.spyOn(pg.Client.prototype, 'query')
  await serveAll(sandbox)
  const statements = new Map<string, Statement>()
  for (const [query] of queried.mock.calls as unknown[][])
    if (isStatement(query)) statements.set(query.text, query)
  queried.mockRestore()
  await sandbox.close()
  expect(statements.size).toBeGreaterThan(50)

  const costs: string[] = []
  for (const statement of statements.values()) {
    const visited = await rowsVisited(client, statement)
    if (visited > FEW) costs.push(`${visited} rows: ${statement.text}`)
  }

  await client.end()
  expect(costs).toEqual([])
})

const DAY_MS = 86_400_000
/** Rows per table. */
const FILLED = 4_000
/** More than a page of the largest list, with the related rows. */
const FEW = 1_500

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** Whether a query is a statement that reads rows. */
function isStatement(query: unknown): query is Statement {
  if (typeof query !== 'object' || query === null) return false
  return 'text' in query && isRead(String(query.text))
}

/** Whether a statement reads rows: an INSERT of given values reads none. */
function isRead(sql: string): boolean {
  const isOfRows = /^\W*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/.test(sql)
  const insertsValues = /^\W*INSERT[^()]*\([^()]*\)\s*VALUES/.test(sql)
  return isOfRows && !insertsValues
}

/** Makes every kind of request: each operation, each list, the page and the control API. */
async function serveAll(sandbox: Started): Promise<void> {
  const ask = await signInPartner(sandbox)
  const send = createSender(ask)
  for (const example of examples) {
    await send(example.id, await prepare(send, example))
    await sandbox.worker.idle()
  }

  const path = '/pix/qrcode/dynamic/immediate'
  const firstPage = await ask('GET', `${path}?limit=1`)
  const cursor = `cursor=${firstPage.body.next_cursor}`
  const filters = [
    '',
    'status=CONCLUIDA',
    `tax_id=${RARE_TAX_ID}`,
    `status=CONCLUIDA&tax_id=${RARE_TAX_ID}`,
  ]
  for (const filter of filters) {
    expect((await ask('GET', `${path}?${filter}`)).status).toBe(200)
    expect((await ask('GET', `${path}?${filter}&${cursor}`)).status).toBe(200)
  }

  await control(sandbox, send)
  await sandbox.worker.idle()
}

async function control({ url, control }: Started, send: Send): Promise<void> {
  const ask = async (method: string, path: string, body?: object) => {
    const response = await control<{ data: { id: string }[] }>(method, path, body)
    expect(response.status).toBeLessThan(300)

    return response.body
  }

  const { body } = examples.find(({ id }) => id === 'createImmediateQrCode') ?? {}
  const charge = await send('createImmediateQrCode', { body: { ...body, tx_id: newTxId() } })
  const webhook = await send('createWebhook', { body: { type: 'all', url: `${url}/nobody` } })

  await ask('POST', `/qrcodes/${charge.body.id}/pay`)
  await ask('POST', `/accounts/${PARTNERS[0].account_id}/deposit`, { amount: '1.00' })
  await ask('GET', '/state')

  const { data } = await ask('GET', '/events?limit=100')
  const [{ id: event_id } = { id: '' }] = data
  await ask('GET', `/events/${event_id}`)
  await ask('POST', '/deliveries/redeliver', { event_id, webhook_id: webhook.body.id })
  await ask('GET', '/ready')
}

/** The lines of the plan whose cost grows with the tables. */
function scansOf(database: DatabaseSync, sql: string): string[] {
  if (!isRead(sql)) return []

  const rows = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[]
  const scans = rows.filter(({ detail }) => isScan(detail, sql))
  return scans.map(({ detail }) => `${detail}: ${sql}`)
}

function isScan(line: string, sql: string): boolean {
  const [, scanned = ''] = /^SCAN (\w+)/.exec(line) ?? []
  if (!scanned) return line.includes('AUTOMATIC')

  // The page shows all own accounts in the order of an index.
  if (line.endsWith('USING INDEX accounts_own')) return false
  // It shows the newest records up to a limit.
  if (/^[^()]*position DESC LIMIT/.test(sql)) return false

  // The plan names a table by its alias.
  const aliased = new RegExp(`(?:FROM|JOIN) +(\\w+) +(?:AS +)?${scanned}\\b`)
  const [, table = scanned] = aliased.exec(sql) ?? []
  return BIG.includes(table)
}

/** How many rows a statement visits, by the plan for its values and the generic plan. */
async function rowsVisited(client: pg.Client, { text, values }: Statement): Promise<number> {
  const counts: number[] = []
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    await client.query(`BEGIN; SET LOCAL plan_cache_mode = ${mode}`)
    // Inserting a second time would conflict with the rows of the first.
    const select = text.replace(/^\W*INSERT[^()]*\([^()]*\)/, '')
    await client.query(`PREPARE it AS ${select}`)

    const literals = values.map((value) =>
      value === null ? 'NULL' : client.escapeLiteral(String(value)),
    )
    const execute = literals.length > 0 ? `EXECUTE it (${literals.join(', ')})` : 'EXECUTE it'
    const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${execute}`)
    await client.query('ROLLBACK; DEALLOCATE it')
    counts.push(visitedBy(rows[0]['QUERY PLAN'][0].Plan))
  }
  return Math.max(...counts)
}

type Plan = { readonly [name: string]: unknown; readonly Plans?: readonly Plan[] }

function visitedBy(plan: Plan): number {
  let visited = 0
  for (const child of plan.Plans ?? []) visited += visitedBy(child)

  const visitsTable = 'Relation Name' in plan
  if (!visitsTable) return visited

  let perLoop = 0
  for (const name of VISITED) perLoop += Number(plan[name] ?? 0)
  return visited + perLoop * Number(plan['Actual Loops'])
}

const VISITED = ['Actual Rows', 'Rows Removed by Filter', 'Rows Removed by Index Recheck']
