import { closeSync, existsSync, mkdirSync, openSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { messageOf } from '@partner-payments/contract'
import { type StateFiles, watchFiles } from './files.ts'
import {
  insertStatement,
  type Queries,
  type Store,
  StoreError,
  StoreUnavailable,
  type Value,
} from './store.ts'
import { createTables } from './tables.ts'
import { createTransaction } from './transaction.ts'

/**
 * Not a static import: an old Node would fail at it before the package can name the version that it
 * needs.
 */
const sqlite = process.getBuiltinModule('node:sqlite')
/** Maximum number of transactions that share a commit. */
const MAX_BATCH = 256
/** Pages that a copy writes at once: more than a database without records has. */
const ALL_PAGES = 100_000

/** A transaction that waits for its commit. */
interface Job {
  readonly work: (queries: Queries) => Promise<unknown>
  readonly settle: (outcome: Outcome) => void
}

type Outcome = { ok: true; value: unknown } | { ok: false; error: unknown }

interface Connection {
  database: DatabaseSync
  readonly statements: Map<string, StatementSync>
  readonly health: Health
  /** Lets another process open the file. */
  readonly unlock: () => void
}

/**
 * Opens a store that keeps the state in one file, or in memory. Transactions that wait at the same
 * time share one commit, and so one fsync. Each has its own savepoint, and resolves only after the
 * commit.
 *
 * @throws {StoreError} if another process uses the file or could, or it is not a database
 */
export function openSqlite(file?: string): Store {
  const connection = file === undefined ? connectToMemory() : connectToFile(file)
  const { health } = connection
  const queries = createQueries(connection)
  // Runs the transactions, several per commit.
  const commits = groupCommit(connection, queries)
  return {
    backend: 'sqlite',
    skipLocked: '',
    time: `CAST(unixepoch('subsec') * 1000 AS INTEGER)`,
    read: async (work) => {
      // A read must not see what an open transaction has not committed.
      await commits.quiet()
      health.requireReadable()
      try {
        return await work(queries)
      } catch (error) {
        throw health.toStoreError(error)
      }
    },
    write: commits.write,
    // SQLite runs one transaction at a time.
    alone: commits.write,
    clear: (work) => commits.exclusively(() => replaceDatabase(connection, work)),
    async close() {
      await commits.drain()
      connection.database.close()
      connection.unlock()
    },
  }
}

/** Opens a database in memory, which needs no lock. */
function connectToMemory(): Connection {
  return {
    database: openDatabase(IN_MEMORY),
    statements: new Map(),
    health: createHealth('the memory', NO_FILES),
    unlock: nothing,
  }
}

/** Locks a file and opens the database in it. Releases the lock if that fails. */
function connectToFile(file: string): Connection {
  const { guard, files } = lockFile(file)
  try {
    return {
      // Absolute: SQLite takes `:memory:` for no file, and `file:name` for a URI, which has another lock.
      database: openDatabase(resolve(file), file),
      statements: new Map(),
      health: createHealth(file, files),
      unlock: () => guard.close(),
    }
  } catch (error) {
    guard.close()
    throw error
  }
}

/** The path of a database without a file (SQLite, "In-Memory Databases"). */
const IN_MEMORY = ':memory:'

const NO_FILES: StateFiles = { requireSame() {}, requireSameDatabase() {} }

/**
 * Empties the state, except for its settings: creates a new database, runs `work` on it, and puts it
 * in the place of the old one. Deleting the rows would take longer the more there are, because of
 * the foreign keys.
 */
async function replaceDatabase<T>(
  connection: Connection,
  work: (queries: Queries) => Promise<T>,
): Promise<T> {
  const { database: old, health } = connection
  health.requireUsable()
  const fresh = openDatabase(IN_MEMORY)
  const queries = createQueries({ ...connection, database: fresh, statements: new Map() })
  await createTables(queries, 'sqlite')
  await copySettings(createQueries(connection), queries)
  const result = await createTransaction(queries).run(work)

  const file = old.location()
  const isInMemory = file === null
  if (isInMemory) {
    connection.database = fresh
    connection.statements.clear()
    old.close()
  } else {
    await copyState(file, fresh, old)
    fresh.close()
  }
  return result
}

async function copySettings(from: Queries, to: Queries): Promise<void> {
  const settings = await from.all<Setting>('SELECT name, value FROM settings')
  for (const { name, value } of settings) {
    await to.run(...insertStatement('settings', { name, value }))
  }
}

type Setting = { readonly name: string; readonly value: string }

/**
 * Copies a new database into the file of an old one, in one transaction.
 *
 * @throws {StoreUnavailable} if the file was removed: then the old connection sees no change
 */
async function copyState(file: string, fresh: DatabaseSync, old: DatabaseSync): Promise<void> {
  // Changes when another connection commits to the file.
  const version = old.prepare('PRAGMA data_version')
  const before = version.get()?.data_version
  await sqlite.backup(fresh, file, { rate: ALL_PAGES })
  const after = version.get()?.data_version
  if (after === before) {
    throw new StoreUnavailable(`${file} was removed while it was in use; start the sandbox again`)
  }
}

/**
 * Opens the database of a file, or creates one in memory.
 *
 * @param name of the file, for messages
 * @throws {StoreError} if the file is not a database
 */
function openDatabase(path: string, name = path): DatabaseSync {
  try {
    const database = new sqlite.DatabaseSync(path, { readBigInts: true })
    // FULL, because NORMAL in WAL mode may lose the last commits at a power failure.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
    return database
  } catch (error) {
    const message = `${name} cannot be opened as a database: ${messageOf(error)}`
    throw new StoreError(message, { cause: error })
  }
}

interface Lock {
  readonly guard: DatabaseSync
  readonly files: StateFiles
}

/**
 * Locks a file against other sandboxes, for the lifetime of the process, by a second database next
 * to it. The operating system releases the lock however the process ends, so it never becomes stale
 * like a file with a process id.
 *
 * @throws {StoreError} if another process has the lock, or the file cannot be created
 */
function lockFile(file: string): Lock {
  let guard: DatabaseSync | undefined
  try {
    createIfMissing(file)
    // A link and its target share one lock.
    const path = `${realpathSync(file)}.lock`
    guard = new sqlite.DatabaseSync(path, { timeout: 0 })
    guard.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
    return { guard, files: watchFiles(file, path) }
  } catch (error) {
    guard?.close()
    if (error instanceof StoreError) throw error
    const why = isBusy(error) ? FILE_IS_IN_USE : messageOf(error)
    throw new StoreError(`${file} cannot be opened: ${why}`, { cause: error })
  }
}

/** Creates a file with its folders, or the target of a link that leads nowhere yet. */
function createIfMissing(file: string): void {
  mkdirSync(dirname(resolve(file)), { recursive: true })
  if (!existsSync(file)) closeSync(openSync(file, 'a'))
}

const FILE_IS_IN_USE =
  'another process is using it; stop that one, name another with --file, or share a PostgreSQL by DATABASE_URL'

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}

const SQLITE_BUSY = 5

/** Primary codes that mean "not now" (SQLite, "Result and Error Codes"). */
const UNAVAILABLE = new Set([
  SQLITE_BUSY, // another connection holds a lock
  6, // LOCKED: this connection holds a lock
  7, // NOMEM: out of memory
  8, // READONLY: the file cannot be written
  10, // IOERR: the disk failed
  13, // FULL: the disk is full
  14, // CANTOPEN: the file cannot be opened
  15, // PROTOCOL: the locks of the file could not be taken
])

/** Codes that mean that the file is damaged; a later statement may not notice it. */
const DAMAGED = new Set([
  11, // CORRUPT: a page cannot be read
  26, // NOTADB: its head was overwritten
])

type Health = ReturnType<typeof createHealth>

/**
 * Checks whether a state can be used: its files are those that were opened, and are not damaged.
 * Once damage is seen, the state cannot be used until the next start.
 *
 * @param place where the state is, for messages
 */
function createHealth(place: string, files: StateFiles) {
  let damage: StoreUnavailable | undefined
  return {
    /** @throws {StoreUnavailable} if a file is not the one that was opened, or is damaged */
    requireUsable(): void {
      if (damage) throw damage
      files.requireSame()
    },
    /** @throws {StoreUnavailable} if the database is not the one that was opened, or is damaged */
    requireReadable(): void {
      if (damage) throw damage
      files.requireSameDatabase()
    },
    /**
     * An error as the store throws it: `StoreUnavailable` if the state is closed, or its code means
     * that it cannot be used, with the error as its cause; else the error itself.
     */
    toStoreError(error: unknown): unknown {
      if (!(error instanceof Error)) return error

      const isClosed = 'code' in error && error.code === 'ERR_INVALID_STATE'
      if (isClosed) return new StoreUnavailable('the state is closed', { cause: error })

      const isFromSqlite = 'errcode' in error && 'errstr' in error
      if (!isFromSqlite) return error

      // The last byte of an extended code is its primary code.
      const primaryCode = Number(error.errcode) & 0xff
      if (DAMAGED.has(primaryCode)) {
        const advice = 'remove it or restore a copy, and start the sandbox again'
        const message = `${place} is damaged (${error.errstr}); ${advice}`
        damage = new StoreUnavailable(message, { cause: error })
        return damage
      }
      if (!UNAVAILABLE.has(primaryCode)) return error
      return new StoreUnavailable(String(error.errstr), { cause: error })
    },
  }
}

/**
 * Queries that throw at once instead of rejecting later, so that no other statement is started after
 * a failure. If SQLite has rolled back, it would be committed by itself.
 */
function createQueries(connection: Connection): Queries {
  const { statements } = connection

  /** Prepares a statement once per database. */
  function prepare(sql: string): StatementSync {
    const prepared = statements.get(sql)
    if (prepared) return prepared

    const statement = connection.database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }

  return {
    get<R extends object>(sql: string, values: readonly Value[] = []) {
      const row = prepare(sql).get(...values)
      return Promise.resolve(row as R | undefined)
    },
    all<R extends object>(sql: string, values: readonly Value[] = []) {
      const rows = prepare(sql).all(...values)
      return Promise.resolve(rows as R[])
    },
    run(sql, values = []) {
      const { changes } = prepare(sql).run(...values)
      return Promise.resolve(Number(changes))
    },
  }
}

/** Commits transactions in groups, one group after the other. */
function groupCommit(connection: Connection, queries: Queries) {
  /** The transactions for the next groups. */
  let waiting: Job[] = []
  /** The group that is running, or the work that excludes all groups. */
  let running: Promise<void> | undefined
  let isScheduled = false

  /** Starts the next group soon, unless one is running: the next one starts after it. */
  function schedule(): void {
    if (isScheduled || running || waiting.length === 0) return
    isScheduled = true
    // After reading the ready sockets, so that their transactions join this commit.
    setImmediate(startBatch)
  }

  /** Runs the transactions that wait as one group, up to a maximum. */
  function startBatch(): void {
    isScheduled = false
    // Exclusive work began meanwhile.
    if (running) return
    const batch = waiting.slice(0, MAX_BATCH)
    waiting = waiting.slice(MAX_BATCH)
    occupy(runBatch(connection, queries, batch))
  }

  /** Lets no other group start before the turn has ended. */
  function occupy(turn: Promise<void>): void {
    running = turn.finally(() => {
      running = undefined
      schedule()
    })
  }

  return {
    /** Lets a transaction join the next commit. Resolves with its value after the commit. */
    write<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        const settle = (outcome: Outcome) => {
          // Each job settles with its own result.
          if (outcome.ok) resolve(outcome.value as T)
          else reject(connection.health.toStoreError(outcome.error))
        }
        waiting.push({ work, settle })
        schedule()
      })
    },
    /**
     * Runs `work` while no transaction is open, and lets none begin before it has ended. Waits for
     * the running group of transactions only, so it cannot starve.
     */
    async exclusively<T>(work: () => Promise<T>): Promise<T> {
      while (running) await running
      const ended = work()
      // The next group starts after it, even if it fails.
      occupy(ended.then(nothing, nothing))
      return ended.catch((error: unknown) => {
        throw connection.health.toStoreError(error)
      })
    },
    /**
     * Resolves when no transaction is open. A read on the same connection would see its uncommitted
     * changes.
     */
    quiet: () => running,
    async drain() {
      while (isScheduled || running || waiting.length > 0) {
        await (running ?? new Promise((resolve) => setImmediate(resolve)))
      }
    },
  }
}

const nothing = () => {}

/** Runs several transactions and commits them together. Each gets its own outcome. */
async function runBatch(
  { database, health }: Connection,
  queries: Queries,
  batch: readonly Job[],
): Promise<void> {
  const finished: { readonly job: Job; readonly outcome: Outcome }[] = []
  try {
    health.requireUsable()
    database.exec('BEGIN IMMEDIATE')
    for (const job of batch) {
      finished.push({ job, outcome: await runJob(database, queries, job.work) })
    }
    health.requireUsable()
    database.exec('COMMIT')
    // The file may have been removed during the commit: then nothing was stored.
    health.requireUsable()
  } catch (error) {
    rollBack(database)
    for (const { settle } of batch) settle({ ok: false, error })
    return
  }
  for (const { job, outcome } of finished) job.settle(outcome)
}

/** Undoes what an open transaction has changed. Never throws. */
function rollBack(database: DatabaseSync): void {
  try {
    if (database.isOpen && database.isTransaction) database.exec('ROLLBACK')
  } catch {
    // Nothing was committed, and the next batch tries again.
  }
}

/** Runs one transaction of a group. If it fails, only its own changes are undone. */
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
