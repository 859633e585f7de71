import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import pg from 'pg'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createApp } from '../src/index.ts'
import { openStore } from '../src/store/open.ts'
import { openPostgres } from '../src/store/postgres.ts'
import {
  type Queries,
  type Store,
  StoreError,
  StoreUnavailable,
  sendInOneTrip,
} from '../src/store/store.ts'
import { newDatabase, settingsOf } from './backends.ts'

let databaseUrl: string
let store: Store
beforeAll(async () => {
  databaseUrl = await newDatabase()
  store = await openStore({ databaseUrl })
  return () => store.close()
})
beforeEach(() => store.write((queries) => queries.run('DELETE FROM settings')))

const CONFLICT = `DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$`
const INSERT = `INSERT INTO settings VALUES ('a', '1')`

/** Runs a transaction, and returns how often it was begun, and its error. */
async function runsOf(work: (queries: Queries, run: number) => Promise<unknown>, on = store) {
  let runs = 0
  try {
    await on.write((queries) => {
      runs += 1
      return work(queries, runs)
    })
    return { runs, error: undefined }
  } catch (error) {
    return { runs, error }
  }
}

describe('conflicting transactions', () => {
  test('are retried after a deadlock, and both commit', async () => {
    await store.write((queries) =>
      queries.run(`INSERT INTO settings VALUES ('a', '0'), ('b', '0')`),
    )
    const options = encodeURIComponent('-c deadlock_timeout=10')
    const impatient = await openPostgres(`${databaseUrl}?options=${options}`)
    const both = Promise.withResolvers<void>()
    let waiting = 0

    const addToBoth = (first: string, second: string) =>
      runsOf(async (queries) => {
        await addOne(queries, first)
        waiting += 1
        if (waiting === 2) both.resolve()
        await both.promise
        await addOne(queries, second)
      }, impatient)

    const [one, two] = await Promise.all([addToBoth('a', 'b'), addToBoth('b', 'a')])
    expect(one.runs + two.runs).toBeGreaterThan(2)
    expect(await settingsOf(store)).toEqual({ a: '2', b: '2' })

    await impatient.close()
  })

  test('fail if every run has a conflict', async () => {
    const { runs, error } = await runsOf((queries) => queries.run(CONFLICT))
    expect(runs).toBe(8)
    expect(error).toBeInstanceOf(Error)
  })

  test('are retried even if the error that follows from the conflict comes first', async () => {
    const { runs } = await runsOf(async (queries, run) => {
      const first = queries.run(run === 1 ? CONFLICT : 'SELECT 1')
      const second = queries.run(INSERT)
      // Rejects after the second has.
      const late = first.finally(() => second.catch(() => {}))
      await sendInOneTrip([late, second])
    })
    expect(runs).toBe(2)
    expect(await settingsOf(store)).toEqual({ a: '1' })
  })
})

describe('a connection that breaks', () => {
  test('while it is idle is replaced by the next call', async () => {
    const count = () =>
      store.read((queries) => queries.get('SELECT count(*) AS count FROM settings'))
    await Promise.all([count(), count(), count()])
    await terminateAll()
    expect(await Promise.all([count(), count(), count()])).toEqual(Array(3).fill({ count: 0n }))

    await terminateAll()
    await store.write((queries) => queries.run(INSERT))
    expect(await count()).toEqual({ count: 1n })
  })

  test('inside a transaction rolls it back, and retries it', async () => {
    const { runs } = await runsOf(async (queries, run) => {
      await queries.run(INSERT)
      // Between two statements, when nothing waits for the connection.
      if (run === 1) {
        await terminateAll()
        await sleep(20)
      }
      await queries.run(`UPDATE settings SET value = '2'`)
    })
    expect(runs).toBe(2)
    expect(await settingsOf(store)).toEqual({ a: '2' })
  })

  test('at the commit leaves the result unknown, and is not retried', async () => {
    const { runs, error } = await runsOf(async (queries) => {
      await queries.run(INSERT)
      await breakAtCommit(queries)
    })
    expect(runs).toBe(1)
    expect(error).toBeInstanceOf(StoreUnavailable)
  })
})

describe('behind a proxy', () => {
  test('a transaction that the server does not begin stops at its first result', async () => {
    const behind = await openBehind({ sent: (text) => text.replace('BEGIN;', 'BEGUN;') })
    const { error } = await runsOf(async (queries) => {
      await queries.get('SELECT 1 AS one')
      await queries.run(INSERT)
    }, behind)
    expect(String(error)).toContain('BEGUN')
    expect(await settingsOf(store)).toEqual({})
  })

  test('a transaction that makes the server panic at its commit has an unknown result, and is not retried', async () => {
    let isBegun = false
    // What the server sends before it ends all connections, because it cannot write its log.
    const received = (text: string) => (isBegun && text.includes('COMMIT\0') ? PANIC : text)
    const behind = await openBehind({ received })
    const { runs, error } = await runsOf((queries) => {
      isBegun = true
      return queries.run(`UPDATE settings SET value = value`)
    }, behind)
    expect(runs).toBe(1)
    expect(error).toBeInstanceOf(StoreUnavailable)
  })

  test('a database that no longer responds is reported as unavailable, and closes', async () => {
    let isStopped = false
    const behind = await openBehind({ received: (text) => (isStopped ? '' : text) }, SHORT)
    isStopped = true
    await expect(behind.read((queries) => queries.get('SELECT 1'))).rejects.toThrow(
      StoreUnavailable,
    )
  })
})

test('a new database gets its tables and seed data once, when several instances open it at once', async () => {
  const databaseUrl = await newDatabase('template1')
  const sandboxes = await Promise.all([1, 2, 3, 4].map(() => createApp({ databaseUrl })))

  const keys = new Set(sandboxes.map(({ context }) => context.sealingKey.export().toString('hex')))
  expect(keys.size).toBe(1)

  const sql = `
    SELECT
      (SELECT count(*) FROM migrations) AS migrations,
      (SELECT count(*) FROM partners) AS partners`
  const counts = await sandboxes[0]?.store.read((queries) => queries.get(sql))
  expect(counts).toEqual({ migrations: 1n, partners: 2n })

  await Promise.all(sandboxes.map(({ close }) => close()))
})

test.each([
  {
    reason: 'nothing listens',
    urlOf: () => 'postgres://sandbox:hunter2@127.0.0.1:1/none',
    words: /ECONNREFUSED/,
  },
  {
    reason: 'the password is wrong',
    urlOf: (url: string) => url.replace(':sandbox@', ':hunter2@'),
    words: /authentication failed/,
  },
  {
    reason: 'it does not exist',
    urlOf: (url: string) => url.replace(/\w+$/, 'none'),
    words: /"none" does not exist/,
  },
  {
    reason: 'the URL is none',
    urlOf: () => 'postgres://sandbox:hunter2@127.0.0.1:port/none',
    words: /URL/,
  },
])(
  'a database that cannot be opened is reported without the password, when $reason',
  async ({ urlOf, words }) => {
    const error = await openStore({ databaseUrl: urlOf(databaseUrl) }).catch(
      (error: unknown) => error,
    )
    expect(error).toBeInstanceOf(StoreError)
    expect(String(error)).toMatch(/the database of DATABASE_URL cannot be reached: /)
    expect(String(error)).toMatch(words)
    expect(inspect(error, { depth: 10 })).not.toContain('hunter2')
  },
)

function addOne(queries: Queries, name: string): Promise<number> {
  const sql = 'UPDATE settings SET value = CAST(CAST(value AS BIGINT) + 1 AS TEXT) WHERE name = ?'
  return queries.run(sql, [name])
}

/** Ends the connection during the commit, by a deferred check. */
async function breakAtCommit(queries: Queries): Promise<void> {
  await queries.run(`CREATE FUNCTION leave() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END'`)
  await queries.run(`CREATE CONSTRAINT TRIGGER leaving AFTER INSERT ON settings DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION leave()`)
  await queries.run(`INSERT INTO settings VALUES ('b', '1')`)
}

async function terminateAll(): Promise<void> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  )
  await client.end()
}

/** Milliseconds to wait for a connection, and for a result. */
const SHORT = { connectMs: 1_000, responseMs: 200 }

/** An ErrorResponse: each field is a letter and a string that ends with a zero byte. */
const FIELDS = ['SPANIC', 'VPANIC', 'C58030', 'Mcould not fdatasync file', ''].join('\0')
const PANIC = `E\0\0\0${String.fromCharCode(FIELDS.length + 5)}${FIELDS}\0`

/**
 * Opens the database through a proxy that can change or drop what it forwards. It ends a connection
 * after a panic.
 */
async function openBehind(
  edits: { sent?: (text: string) => string; received?: (text: string) => string },
  limits?: typeof SHORT,
): Promise<Store> {
  const { sent = String, received = String } = edits
  const url = new URL(databaseUrl)
  const port = Number(url.port)
  const sockets: Socket[] = []
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const socket of [near, far]) {
      socket.on('error', () => {})
      sockets.push(socket)
    }

    near
      .on('data', (data) => far.write(sent(data.toString('latin1')), 'latin1'))
      .on('end', () => far.end())

    far.on('data', (data) => {
      const text = received(data.toString('latin1'))
      near.write(text, 'latin1')
      if (text === PANIC) near.end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an AddressInfo.
  url.port = String((server.address() as AddressInfo).port)

  const behind = await openPostgres(url.href, limits)
  onTestFinished(async () => {
    await behind.close()
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return behind
}

test('an exclusive write runs after those in progress and before all later ones, on every instance', async () => {
  const one = store
  const two = await openStore({ databaseUrl })
  onTestFinished(() => two.close())
  const order: string[] = []
  const release = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()

  const step = (name: string, until?: Promise<void>) => async (queries: Queries) => {
    await queries.get('SELECT 1 AS one')
    begun.resolve()
    await until
    order.push(name)
  }

  const early = one.write(step('early', release.promise))
  await begun.promise
  const alone = two.alone(step('alone'))
  await waitingFor(one, 1)
  const late = [one, two].map((store) => store.write(step('late')))
  await waitingFor(one, 3)

  release.resolve()
  await Promise.all([early, alone, ...late])
  expect(order).toEqual(['early', 'alone', 'late', 'late'])
})

/** Waits until this many transactions wait for the lock. */
async function waitingFor({ read }: Store, count: number): Promise<void> {
  const sql = `
    SELECT count(*) AS count FROM pg_locks
    WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
  await expect.poll(() => read((queries) => queries.get(sql))).toEqual({ count: BigInt(count) })
}
