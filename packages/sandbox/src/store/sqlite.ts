import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { messageOf } from '@partner-payments/text'
import { type Queries, type Store, StoreError, StoreUnavailable, type Value } from './store.ts'
import { createTables } from './tables.ts'
import { createTransaction } from './transaction.ts'

/**
 * Not a static import: an old Node would fail at it before the package can name the version that it
 * needs.
 */
const sqlite = process.getBuiltinModule('node:sqlite')
/** Maximum number of transactions that share a commit. */
const BATCH = 256
/** Pages that a copy writes at once: more than a database without records has. */
const ALL_PAGES = 100_000

type Job = { work: (queries: Queries) => Promise<unknown>; settle: (outcome: Outcome) => void }
type Outcome = { ok: true; value: unknown } | { ok: false; error: unknown }

interface Connection {
  database: DatabaseSync
  readonly statements: Map<string, StatementSync>
}

/**
 * Stores the state in one file, or in memory. Transactions that wait at the same time share one
 * commit, and so one fsync. Each has its own savepoint, and resolves only after the commit.
 *
 * @throws {StoreError} if another process uses the file, or it is not a database
 */
export function openSqlite(file?: string): Store {
  const guard = file === undefined ? undefined : lock(file)
  const connection: Connection = { database: open(file, guard), statements: new Map() }
  const queries = queriesOf(connection)
  const commits = groupCommit(connection, queries)
  return {
    backend: 'sqlite',
    skipLocked: '',
    time: `CAST(unixepoch('subsec') * 1000 AS INTEGER)`,
    read: async (work) => {
      await commits.quiet()
      try {
        return await work(queries)
      } catch (error) {
        throw named(error)
      }
    },
    write: commits.write,
    // SQLite runs one transaction at a time.
    alone: commits.write,
    clear: (work) => commits.exclusively(() => replace(connection, work)),
    async close() {
      await commits.drain()
      connection.database.close()
      guard?.close()
    },
  }
}

/**
 * Replaces the database by a new one with the same settings. Deleting the rows would take longer
 * the more there are, because of the foreign keys. Copying into a file is one transaction.
 */
async function replace<T>(
  connection: Connection,
  work: (queries: Queries) => Promise<T>,
): Promise<T> {
  const { database: old } = connection
  const fresh = open()
  const queries = queriesOf({ database: fresh, statements: new Map() })
  await createTables(queries, 'sqlite')
  for (const { name, value } of await queriesOf(connection).all<Setting>(
    'SELECT name, value FROM settings',
  ))
    await queries.run('INSERT INTO settings (name, value) VALUES (?, ?)', [name, value])
  const result = await createTransaction(queries).run(work)
  const file = old.location()
  if (file !== null) {
    await copy(fresh, file, old)
    fresh.close()
  } else {
    connection.database = fresh
    connection.statements.clear()
    old.close()
  }
  return result
}

type Setting = { readonly name: string; readonly value: string }

async function copy(fresh: DatabaseSync, file: string, old: DatabaseSync): Promise<void> {
  // Changes when another connection commits to the file.
  const version = old.prepare('PRAGMA data_version')
  const before = version.get()?.data_version
  await sqlite.backup(fresh, file, { rate: ALL_PAGES })
  if (version.get()?.data_version === before)
    throw new StoreUnavailable(`${file} was removed while it was in use; start the sandbox again`)
}

function open(file?: string, guard?: DatabaseSync): DatabaseSync {
  try {
    const database = new sqlite.DatabaseSync(file ?? ':memory:', { readBigInts: true })
    // FULL, because NORMAL in WAL mode may lose the last commits at a power failure.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
    return database
  } catch (error) {
    guard?.close()
    throw new StoreError(`${file} cannot be opened as a database: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

/**
 * Locks a file next to the database for the lifetime of the process. The operating system releases
 * it however the process ends, so it never becomes stale like a file with a process id.
 */
function lock(file: string): DatabaseSync {
  try {
    mkdirSync(dirname(resolve(file)), { recursive: true })
    // A link and its target share one lock.
    const guard = new sqlite.DatabaseSync(`${existsSync(file) ? realpathSync(file) : file}.lock`, {
      timeout: 0,
    })
    guard.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
    return guard
  } catch (error) {
    const why = isBusy(error) ? 'another process is using it' : messageOf(error)
    const hint = isBusy(error)
      ? '; stop that one, name another with --file, or share a PostgreSQL by DATABASE_URL'
      : ''
    throw new StoreError(`${file} cannot be opened: ${why}${hint}`, { cause: error })
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5
}

/**
 * BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN and PROTOCOL (SQLite, "Result and Error
 * Codes").
 */
const UNAVAILABLE = new Set([5, 6, 7, 8, 10, 13, 14, 15])

/**
 * The error, or `StoreUnavailable` if its code means so. The last byte of a code is the primary
 * code.
 */
function named(error: unknown): unknown {
  // A call after the database was closed.
  if (error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE')
    return new StoreUnavailable('the state is closed', { cause: error })
  if (!(error instanceof Error && 'errcode' in error && 'errstr' in error)) return error
  if (!UNAVAILABLE.has(Number(error.errcode) & 0xff)) return error
  return new StoreUnavailable(String(error.errstr), { cause: error })
}

/**
 * Queries that throw instead of rejecting. So the caller sees a failure before it starts its next
 * statement, which would be a transaction of its own if SQLite has rolled back.
 */
function queriesOf(connection: Connection): Queries {
  const { statements } = connection
  const prepared = (sql: string) => {
    const known = statements.get(sql) ?? connection.database.prepare(sql)
    statements.set(sql, known)
    return known
  }
  return {
    get: <R extends object>(sql: string, values: readonly Value[] = []) =>
      Promise.resolve(prepared(sql).get(...values) as R | undefined),
    all: <R extends object>(sql: string, values: readonly Value[] = []) =>
      Promise.resolve(prepared(sql).all(...values) as R[]),
    run: (sql, values = []) => Promise.resolve(Number(prepared(sql).run(...values).changes)),
  }
}

function groupCommit(connection: Connection, queries: Queries) {
  let waiting: Job[] = []
  let running: Promise<void> | undefined
  let scheduled = false

  function schedule(): void {
    if (scheduled || running || waiting.length === 0) return
    scheduled = true
    // After reading the ready sockets, so that their transactions join this commit.
    setImmediate(() => {
      scheduled = false
      if (running) return
      const batch = waiting.slice(0, BATCH)
      waiting = waiting.slice(BATCH)
      occupy(runBatch(connection.database, queries, batch))
    })
  }

  function occupy(turn: Promise<void>): void {
    running = turn.finally(() => {
      running = undefined
      schedule()
    })
  }

  return {
    write: <T>(work: (queries: Queries) => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        const settle = (outcome: Outcome) =>
          // Each job settles with its own result.
          outcome.ok ? resolve(outcome.value as T) : reject(named(outcome.error))
        waiting.push({ work, settle })
        schedule()
      }),
    /**
     * Runs `work` while no transaction is open. Waits for the running ones only, so it cannot
     * starve.
     */
    async exclusively<T>(work: () => Promise<T>): Promise<T> {
      while (running) await running
      const ended = work()
      occupy(ended.then(nothing, nothing))
      return ended.catch((error: unknown) => {
        throw named(error)
      })
    },
    /**
     * Resolves when no transaction is open. A read on the same connection would see its uncommitted
     * changes.
     */
    quiet: () => running,
    async drain() {
      while (scheduled || running || waiting.length > 0) {
        await (running ?? new Promise((resolve) => setImmediate(resolve)))
      }
    },
  }
}

const nothing = () => {}

async function runBatch(
  database: DatabaseSync,
  queries: Queries,
  batch: readonly Job[],
): Promise<void> {
  const outcomes: Outcome[] = []
  try {
    database.exec('BEGIN IMMEDIATE')
    for (const { work } of batch) outcomes.push(await runJob(database, queries, work))
    database.exec('COMMIT')
  } catch (error) {
    rollBack(database)
    for (const { settle } of batch) settle({ ok: false, error })
    return
  }
  for (const [i, { settle }] of batch.entries()) settle(outcomes[i] ?? LOST)
}

function rollBack(database: DatabaseSync): void {
  try {
    if (database.isOpen && database.isTransaction) database.exec('ROLLBACK')
  } catch {
    // Nothing was committed, and the next batch tries again.
  }
}

const LOST: Outcome = { ok: false, error: new Error('a transaction has no outcome') }

async function runJob(
  database: DatabaseSync,
  queries: Queries,
  work: Job['work'],
): Promise<Outcome> {
  database.exec('SAVEPOINT job')
  try {
    const value = await createTransaction(queries).run(work)
    database.exec('RELEASE job')
    return { ok: true, value }
  } catch (error) {
    // If the disk is full, SQLite has already rolled back all transactions of this commit.
    if (!database.isTransaction) throw error
    database.exec('ROLLBACK TO job; RELEASE job')
    return { ok: false, error }
  }
}
