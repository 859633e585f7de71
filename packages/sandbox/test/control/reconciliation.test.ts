import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createReconciliation } from '../../src/control/reconciliation.ts'
import { openStore } from '../../src/store/open.ts'
import { type Row, type Store, StoreUnavailable, type SurveyOptions } from '../../src/store/store.ts'
import { surveySqlite } from '../../src/store/survey.ts'
import { KINDS, openBackends } from '../state/backends.ts'
import { call, partnerToken, tally, times } from '../state/payers.ts'
import { type Started, start } from './start.ts'

const backends = openBackends()
afterAll(() => backends.remove())

describe.each(KINDS)('GET /_sandbox/reconcile of a state in %s', (kind) => {
  let sandbox: Started
  beforeEach(async () => {
    sandbox = await start({ ...(await backends.emptyState(kind)), limitsRates: false, settleAfterMs: 0 })
    return () => sandbox.close()
  })
  const findings = async () =>
    sandbox
      .control<{ findings: string[] }>('GET', '/reconcile')
      .then(({ status, body }) => (status === 200 ? body.findings : [JSON.stringify(body)]))

  test('it reports only what does not add up', async () => {
    expect(await findings()).toEqual([])
    await sandbox.app.store.write((queries) =>
      queries.run(`UPDATE accounts SET balance = balance + 1 WHERE id = 'outside/world'`),
    )
    expect(await findings()).toEqual(['a balance is not the sum of its entries: outside/world'])
    const { body } = await sandbox.control<object>('GET', '/reconcile/progress')
    expect(body).toEqual({ running: false, done: 15, of: 15 })
  })

  test('it reports no false finding while payments settle', async () => {
    const token = await partnerToken(sandbox.app)
    const paying = times(100).map(async () => {
      const check = ['POST', '/pix/dict/check/', { dict_key: 'beltrana@example.com' }] as const
      const { initiation_id } = (await call(sandbox.app.service, token, check)).body
      const body = { type: 'dict', dict_key: 'beltrana@example.com', initiation_id, amount: '1.00' }
      return call(sandbox.app.service, token, ['POST', '/pix/out/', body])
    })
    const paid = Promise.all(paying)
    const found: string[][] = []
    for (let i = 0; i < 3; i++) found.push(await findings())
    expect(tally(await paid)).toEqual({ 201: 100 })
    expect(found.flat()).toEqual([])
  })

  test('it ends when the sandbox closes, and is refused after that', async () => {
    const asked = sandbox.control('GET', '/reconcile')
    sandbox.app.drain()
    const { status, body } = await asked
    expect([200, 503]).toContain(status)
    if (status === 503) expect(body.detail).toMatch(/closing|No request waits/)
    expect((await sandbox.control('GET', '/reconcile')).status).toBe(503)
  })
})

describe('on PostgreSQL', () => {
  test('it uses its own connection, and cancels its query when the client disconnects', async () => {
    const databaseUrl = await backends.postgres.newDatabase()
    const sandbox = await start({ databaseUrl, limitsRates: false })
    const admin = new pg.Client(databaseUrl)
    await admin.connect()
    // A reader of the table waits for this exclusive lock.
    await admin.query('BEGIN; LOCK TABLE entries IN ACCESS EXCLUSIVE MODE')
    const cut = new AbortController()
    const asked = times(30).map(() =>
      fetch(`${sandbox.url}/_sandbox/reconcile`, { signal: cut.signal }).catch((error) => error.name),
    )
    await expect.poll(() => waitingFor(admin)).toBe(1)
    const { status, body } = await sandbox.control<object>('GET', '/reconcile/progress')
    expect([status, body]).toEqual([200, { running: true, done: 0, of: 15 }])
    const served = await Promise.all(times(40).map(() => sandbox.control('GET', '/state')))
    expect(tally(served)).toEqual({ 200: 40 })
    expect(await waitingFor(admin)).toBe(1)
    cut.abort()
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['AbortError']))
    await expect.poll(() => waitingFor(admin)).toBe(0)
    await admin.query('ROLLBACK')
    expect((await sandbox.control('GET', '/reconcile')).status).toBe(200)
    await admin.end()
    await sandbox.close()
  })
})

describe('one run at a time', () => {
  /** A survey that ends when the test ends it. */
  function controlled() {
    const runs: { end: (rows: Row[][]) => void; signal: AbortSignal }[] = []
    const survey = (_: readonly string[], { signal }: SurveyOptions) =>
      new Promise<Row[][]>((end, reject) => {
        if (signal.aborted) reject(signal.reason)
        signal.addEventListener('abort', () => reject(signal.reason))
        runs.push({ end, signal })
      })
    // The reconciliation uses nothing else of a store.
    return { runs, reconciliation: createReconciliation({ survey } as unknown as Store) }
  }
  const never = new AbortController().signal

  test('it serves all callers that arrive during a run with the next run', async () => {
    const { runs, reconciliation } = controlled()
    const first = reconciliation.findings(never)
    await sleep(0)
    const later = [1, 2, 3].map(() => reconciliation.findings(never))
    await sleep(0)
    expect(runs).toHaveLength(1)
    runs[0]?.end([[{ id: 'before' }]])
    expect(await first).toEqual(['the entries of a step do not sum to zero: before'])
    await sleep(0)
    expect(runs).toHaveLength(2)
    runs[1]?.end([[{ id: 'after' }]])
    for (const one of later) expect(await one).toEqual(['the entries of a step do not sum to zero: after'])
  })

  test('it cancels a run when its last caller disconnects, and starts another for the next caller', async () => {
    const { runs, reconciliation } = controlled()
    const [one, two] = [new AbortController(), new AbortController()]
    const gone = Promise.allSettled([
      reconciliation.findings(one.signal),
      reconciliation.findings(two.signal),
    ])
    await sleep(0)
    two.abort()
    one.abort()
    const rest = reconciliation.findings(never)
    await gone
    await sleep(0)
    expect(runs.map(({ signal }) => signal.aborted)).toEqual([true, false])
    runs[1]?.end([])
    expect(await rest).toEqual([])
    expect(reconciliation.progress().running).toBe(false)
  })

  test('it refuses one caller too many, with Retry-After', async () => {
    const { reconciliation } = controlled()
    const waiting = times(51).map(() => reconciliation.findings(never).catch(({ code }) => code))
    await expect(async () => reconciliation.findings(never)).rejects.toMatchObject({
      code: 'unavailable',
      options: { headers: { 'retry-after': '5' } },
    })
    reconciliation.close()
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['unavailable']))
  })
})

describe.each(['sqlite, in memory', 'sqlite, in a file'] as const)('a survey of %s', (kind) => {
  const count = (to: number) =>
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${to}) SELECT max(i) AS max FROM n`
  const never = new AbortController().signal

  test('it does not block other requests', async () => {
    const sandbox = await start(await backends.newState(kind))
    let isDone = false
    const survey = sandbox.app.store.survey([count(1_500_000)], { signal: never }).finally(() => {
      isDone = true
    })
    for (let i = 0; i < 5; i++) await sandbox.control('GET', '/state')
    expect(isDone).toBe(false)
    expect(await survey).toEqual([[{ max: 1_500_000n }]])
    await sandbox.close()
  })

  test('it ends when its signal aborts, and when the state is closed', async () => {
    const store = await openStore(await backends.newState(kind))
    const cut = new AbortController()
    let done = 0
    const onProgress = (count: number) => {
      done = count
      cut.abort()
    }
    const selects = times(100).map(() => count(20_000))
    await expect(store.survey(selects, { signal: cut.signal, onProgress })).rejects.toThrow('aborted')
    expect(done).toBeLessThan(100)
    const closed = expect(store.survey(selects, { signal: never })).rejects.toThrow(StoreUnavailable)
    await Promise.all([store.close(), closed])
  })

  test('it rejects with StoreUnavailable if a statement fails, without its details', async () => {
    const store = await openStore(await backends.newState(kind))
    const failing = store.survey(['SELECT 1 FROM nowhere'], { signal: never })
    await expect(failing).rejects.toThrow(new StoreUnavailable('the survey of the state failed'))
    await store.close()
  })

  test('it sees one snapshot during concurrent writes', async () => {
    const store = await openStore(await backends.newState(kind))
    const all = `SELECT count(*) AS count FROM settings`
    let written = 0
    const onProgress = () =>
      void store.write((queries) =>
        queries.run('INSERT INTO settings VALUES (?, ?)', [`new ${written++}`, '']),
      )
    const found = await store.survey([all, ...times(20).map(() => count(50_000)), all], {
      signal: never,
      onProgress,
    })
    expect(written).toBeGreaterThan(0)
    expect(found.at(-1)).toEqual(found[0])
    await store.close()
  })
})

test('a survey of SQLite in memory serves others between two statements if Node cannot copy it', async () => {
  const { serialize } = DatabaseSync.prototype as { serialize?: unknown }
  Object.assign(DatabaseSync.prototype, { serialize: undefined })
  const store = await openStore({})
  const turns: number[] = []
  const survey = store.survey(['SELECT 1 AS one', 'SELECT 2 AS two'], {
    signal: new AbortController().signal,
    onProgress: (done) => turns.push(done),
  })
  await store.write((queries) => queries.run(`INSERT INTO settings VALUES ('between', '')`))
  expect(turns.length).toBeLessThan(2)
  expect(await survey).toEqual([[{ one: 1n }], [{ two: 2n }]])
  await store.close()
  Object.assign(DatabaseSync.prototype, { serialize })
})

test('a survey leaves no process behind if its task cannot be sent', async () => {
  const signal = new AbortController().signal
  const processes = () => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length
  await expect.poll(processes).toBe(0)
  // As for a database that exceeds the maximum message size.
  const uncopied = (() => {}) as never
  await expect(surveySqlite({ bytes: uncopied }, [], { signal })).rejects.toThrow(StoreUnavailable)
  await expect.poll(processes).toBe(0)
})

/** How many connections wait for a lock on a table. */
async function waitingFor(admin: pg.Client): Promise<number> {
  const sql = `SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted AND relation = 'entries'::regclass`
  return (await admin.query(sql)).rows[0].count
}
