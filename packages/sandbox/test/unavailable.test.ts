import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { reconcile } from '../src/ledger/reconcile.ts'
import { newFile, newState } from './backends.ts'
import type { ParsedResponse } from './callers.ts'
import {
  createAsker,
  createRequest,
  newPayer,
  type Payer,
  parseResponse,
  payment,
  readBalance,
} from './callers.ts'

let app: App
afterEach(() => app.close())

const pay = ({ token }: Payer) => createAsker(app.fetch, token)(...payment())

async function ready(): Promise<unknown> {
  const response = await app.fetch(createRequest('GET', '/_sandbox/ready', {}))
  const { status, body } = await parseResponse(response)
  return { status, is: body.status }
}

/** Expects a 503 that says what failed and when to retry, without internal details. */
function expectUnavailable({ status, headers, body }: ParsedResponse, words: string): void {
  expect(status).toBe(503)
  expect(body).toMatchObject({ status: 503, code: 'unavailable' })
  expect(body.detail).toContain(words)
  expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
}

/** Expects that every accepted payment is in the ledger, and no refused one. */
async function expectPaid(payer: Payer, start: bigint, count: number): Promise<void> {
  expect(await app.store.read(reconcile)).toEqual([])

  const sql = `SELECT count(*) AS count FROM transfers WHERE account_id = '${payer.account_id}'`
  expect(await app.store.read((queries) => queries.get(sql))).toEqual({ count: BigInt(count) })
  expect(await readBalance(app, payer.account_id)).toBe(start - 100n * BigInt(count))
}

const FUNDS = 1_000_000n

it('refuses payments and reports not ready while the disk of SQLite is full', async () => {
  app = await createApp({ file: newFile(), limitsRates: false })
  const payer = await newPayer(app, FUNDS)
  const pragma = (sql: string) =>
    app.store.read((queries) => queries.get<Record<string, bigint>>(`PRAGMA ${sql}`))
  const pages = await pragma('page_count')
  await pragma(`max_page_count = ${(pages?.page_count ?? 0n) + 10n}`)

  const responses: Awaited<ReturnType<typeof pay>>[] = []
  for (let i = 0; i < 40; i++)
    responses.push(...(await Promise.all([pay(payer), pay(payer), pay(payer), pay(payer)])))

  const refusals = responses.filter(({ status }) => status !== 201)
  expect(refusals.length).toBeGreaterThan(0)
  for (const response of refusals) expectUnavailable(response, 'disk is full')

  const paid = responses.length - refusals.length
  expect(paid).toBeGreaterThan(0)
  await expectPaid(payer, FUNDS, paid)
  expect(await ready()).toEqual({ status: 503, is: 'unavailable' })

  await pragma('max_page_count = 1000000')
  expect(await ready()).toEqual({ status: 200, is: 'ok' })
  expect((await pay(payer)).status).toBe(201)
  await expectPaid(payer, FUNDS, paid + 1)
})

const isWindows = process.platform === 'win32'

// Windows removes no file that is open.
it.skipIf(isWindows)(
  'acknowledges no payment into a file that was removed, and reports not ready',
  async () => {
    const file = newFile()
    app = await createApp({ file, limitsRates: false })
    const payer = await newPayer(app, FUNDS)
    expect((await pay(payer)).status).toBe(201)
    for (const suffix of ['', '-wal', '-shm', '.lock']) rmSync(file + suffix)

    expectUnavailable(await pay(payer), 'was removed while it was in use; start the sandbox again')
    expect(await ready()).toEqual({ status: 503, is: 'unavailable' })
  },
)

it('is unavailable from the first page that cannot be read', async () => {
  const file = newFile()
  app = await createApp({ file, limitsRates: false })
  const payer = await newPayer(app, FUNDS)
  expect(await ready()).toEqual({ status: 200, is: 'ok' })
  await damage(file, 'transfers')

  const response = await pay(payer)
  expectUnavailable(response, 'is damaged (')
  expect(response.body.detail).toContain('remove it or restore a copy, and start the sandbox again')
  expect(await ready()).toEqual({ status: 503, is: 'unavailable' })
})

/** Overwrites the first page of a table in the file of the sandbox. */
async function damage(file: string, table: string): Promise<void> {
  const { store } = app
  // Into the file, since what is in the log is read from there.
  await store.read((queries) => queries.get('PRAGMA wal_checkpoint(TRUNCATE)'))
  const sql = `SELECT rootpage FROM sqlite_schema WHERE name = '${table}'`
  const row = await store.read((queries) => queries.get<{ rootpage: bigint }>(sql))
  const pageSize = await store.read((queries) =>
    queries.get<{ page_size: bigint }>('PRAGMA page_size'),
  )
  const size = Number(pageSize?.page_size)
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(size, 0xff), 0, size, (Number(row?.rootpage) - 1) * size)
  closeSync(handle)
  await store.read((queries) => queries.get('PRAGMA shrink_memory'))
}

describe('a statement that PostgreSQL refuses', () => {
  let payer: Payer
  let admin: pg.Client
  beforeEach(async () => {
    const where = await newState('postgres')
    app = await createApp({ ...where, limitsRates: false })
    payer = await newPayer(app, 1_000n)
    admin = new pg.Client(where.databaseUrl)
    await admin.connect()
    return () => admin.end()
  })

  // The last is that of a statement that was cancelled.
  it.each(['08006', '53100', '40001', '57014'])(
    'with %s makes the sandbox unavailable',
    async (code) => {
      await admin.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'secret words' USING ERRCODE = '${code}'; END $$`)
      for (const table of ['transfers', 'settings'])
        await admin.query(
          `CREATE TRIGGER full_${table} BEFORE INSERT ON ${table} EXECUTE FUNCTION refuse()`,
        )

      const response = await pay(payer)
      expectUnavailable(response, code)
      expect(response.text).not.toContain('secret words')
      expect(await ready()).toEqual({ status: 503, is: 'unavailable' })

      await admin.query('DROP FUNCTION refuse CASCADE')
      expect(await ready()).toEqual({ status: 200, is: 'ok' })
      expect((await pay(payer)).status).toBe(201)
      await expectPaid(payer, 1_000n, 1)
    },
  )

  it('for another reason causes a 500, and the sandbox stays ready', async () => {
    await admin.query('ALTER TABLE transfers RENAME TO gone')
    expect((await pay(payer)).status).toBe(500)
    expect(await ready()).toEqual({ status: 200, is: 'ok' })

    await admin.query('ALTER TABLE gone RENAME TO transfers')
  })
})
