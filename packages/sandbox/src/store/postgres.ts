import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  type Queries,
  type Store,
  StoreError,
  StoreUnavailable,
  sendInOneTrip,
  type Value,
} from './store.ts'
import { TABLES } from './tables.ts'
import { createTransaction } from './transaction.ts'

/** Maximum runs of one transaction, after conflicts or a broken connection. */
const MAX_RUNS = 8
/** Conflicts between transactions (PostgreSQL, appendix A). Nothing of the transaction remains. */
const CONFLICTS = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
])
/** The ids of types (PostgreSQL, pg_type.dat). */
const INT8 = 20
const TEXT = 25

/** Timeouts of {@link openPostgres}. */
export interface PostgresOptions {
  /** Milliseconds to wait for a connection; 5,000 by default. */
  readonly connectMs?: number
  /**
   * Milliseconds to wait for the result of a statement before the connection counts as broken;
   * 15,000 by default.
   */
  readonly responseMs?: number
  /** Milliseconds after which the server cancels a statement; 10,000 by default. */
  readonly statementMs?: number
  /**
   * Milliseconds that emptying the tables waits for other programs that read them; 5,000 by
   * default.
   */
  readonly lockMs?: number
}

/**
 * Stores the state in PostgreSQL. Any number of instances may share it.
 *
 * @throws {StoreError} if it cannot be reached, or the URL is not a PostgreSQL URL
 */
export async function openPostgres(
  connectionString: string,
  options: PostgresOptions = {},
): Promise<Store> {
  const { lockMs = 5_000 } = options
  // pg would ignore another scheme and connect to the host.
  if (!/^postgres(ql)?:\/\//i.test(connectionString)) {
    throw new StoreError('DATABASE_URL must begin with postgres://')
  }

  const pool = createPool(connectionString, options)
  await requireReachable(pool)

  const running = new Set<Promise<unknown>>()
  function run<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const ended = runWithRetries(pool, work).finally(() => running.delete(ended))
    running.add(ended)
    return ended
  }

  return {
    backend: 'postgres',
    skipLocked: ' FOR UPDATE SKIP LOCKED',
    time: 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)',
    read: (work) => run((client) => work(createQueries(client))),
    write: (work) => run((client) => runTransaction(client, work, TAKE_SHARED_LOCK)),
    alone: (work) => run((client) => runTransaction(client, work, TAKE_EXCLUSIVE_LOCK)),
    /** Empties the tables and runs `work` on them, in one transaction that excludes all others. */
    clear(work) {
      const workOnEmpty = async (queries: Queries) => {
        await queries.run(`SET LOCAL lock_timeout = ${lockMs}`)
        await queries.run(`TRUNCATE ${TABLES.join(', ')}`)
        return work(queries)
      }
      return run((client) => runTransaction(client, workOnEmpty, TAKE_EXCLUSIVE_LOCK))
    },
    async close() {
      // Closing the pool would refuse callers that still wait for a connection.
      await Promise.allSettled(running)
      await pool.end()
    },
  }
}

/** Creates the pool of connections, with a limit on every wait, in milliseconds. */
function createPool(
  connectionString: string,
  { connectMs = 5_000, responseMs = 15_000, statementMs = 10_000 }: PostgresOptions,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: 20,
    connectionTimeoutMillis: connectMs,
    // Shorter than the timeout of the client, so a server that works cancels first.
    statement_timeout: statementMs,
    query_timeout: responseMs,
    idle_in_transaction_session_timeout: 10_000,
    types: { getTypeParser },
    // Send a statement without waiting for the results of those before it.
    pipeline: true,
  })
  // The next call reports a broken connection. Without a listener, the error would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  return pool
}

/**
 * Checks that the database responds, and closes the pool if it does not.
 *
 * @throws {StoreError} with the reason
 */
async function requireReachable(pool: pg.Pool): Promise<void> {
  try {
    await pool.query('SELECT 1')
  } catch (error) {
    await pool.end()
    const message = `the database of DATABASE_URL cannot be reached: ${describe(error)}`
    throw new StoreError(message, { cause: error })
  }
}

/** The message of an error, or its code: an error of several addresses has no message. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.message !== '') return error.message
  return 'code' in error ? String(error.code) : ''
}

/** By default, pg returns 64-bit integers as strings. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8) return BigInt
  if (oid === TEXT) return unescaped
  return pg.types.getTypeParser(oid, format as 'text')
}

/**
 * U+10FFFF is not a character. It escapes itself and U+0000, which JSON allows but PostgreSQL
 * cannot store.
 */
const MARK = '\u{10FFFF}'

/**
 * A text without U+0000, which PostgreSQL cannot store: it becomes the {@link MARK} and `0`, and a
 * mark becomes the mark and `1`. {@link unescaped} reverses that.
 */
function escaped(value: Value): Value {
  if (typeof value !== 'string') return value
  const needsEscape = value.includes('\0') || value.includes(MARK)
  if (!needsEscape) return value
  return value.replaceAll(MARK, `${MARK}1`).replaceAll('\0', `${MARK}0`)
}

function unescaped(text: string): string {
  if (!text.includes(MARK)) return text
  return text.replaceAll(`${MARK}0`, '\0').replaceAll(`${MARK}1`, MARK)
}

/** Queries on one connection: `get` reads one row, `all` reads all, `run` returns a count. */
function createQueries(client: pg.PoolClient): Queries {
  function ask(sql: string, values: readonly Value[] = []) {
    const { name, text } = prepare(sql)
    return send(client, { name, text, values: values.map(escaped) })
  }

  return {
    async get<R extends object>(sql: string, values?: readonly Value[]) {
      const { rows } = await ask(sql, values)
      return rows[0] as R | undefined
    },
    async all<R extends object>(sql: string, values?: readonly Value[]) {
      const { rows } = await ask(sql, values)
      return rows as R[]
    },
    async run(sql, values) {
      const { rowCount } = await ask(sql, values)
      return rowCount ?? 0
    },
  }
}

interface Prepared {
  readonly name: string
  readonly text: string
}

const prepared = new Map<string, Prepared>()

/**
 * Gives a statement a name, by which each connection prepares it once, and replaces `?` by `$1` and
 * so on: `id = ?` → `{ name: 's0', text: 'id = $1' }`.
 */
function prepare(sql: string): Prepared {
  const earlier = prepared.get(sql)
  if (earlier) return earlier

  let count = 0
  const text = sql.replaceAll('?', () => {
    count += 1
    return `$${count}`
  })
  const statement = { name: `s${prepared.size}`, text }
  prepared.set(sql, statement)
  return statement
}

/**
 * Runs a transaction on a connection of the pool, and returns its result. Runs it again after a
 * conflict, or if its connection broke before the commit.
 *
 * @throws {StoreUnavailable} if the database cannot be used for a time
 */
async function runWithRetries<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  for (let run = 1; ; run++) {
    try {
      return await runOnConnection(pool, work)
    } catch (error) {
      const canRunAgain = isRetryable(error) && run < MAX_RUNS
      if (!canRunAgain) throw asStoreError(error)
    }
    await sleep(run * 5)
  }
}

/** Runs `work` on a connection of the pool, which is closed afterwards if it broke. */
async function runOnConnection<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await connect(pool)
  let isBroken = false
  try {
    return await work(client)
  } catch (error) {
    isBroken = error instanceof StoreUnavailable
    throw error
  } finally {
    client.release(isBroken)
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (cause) {
    throw new StoreUnavailable('no connection to the database', { cause })
  }
}

/**
 * Every transaction takes this lock first, so an exclusive lock cannot deadlock with the others.
 * PostgreSQL grants it in order of request (13.3.5 Advisory Locks). The number is arbitrary, but
 * the same in all instances.
 */
const LOCK = 20_661_705
const TAKE_SHARED_LOCK = `SELECT pg_advisory_xact_lock_shared(${LOCK})`
const TAKE_EXCLUSIVE_LOCK = `SELECT pg_advisory_xact_lock(${LOCK})`

/**
 * Runs `work` in a transaction and commits it; rolls it back if `work` or a statement rejects.
 *
 * @param lock the SQL that takes the lock of this transaction, shared or exclusive
 */
async function runTransaction<T>(
  client: pg.PoolClient,
  work: (queries: Queries) => Promise<T>,
  lock: string,
): Promise<T> {
  const { run, fail } = createTransaction(createQueries(client))
  let value: T
  try {
    // If BEGIN fails, `fail` lets all statements of `work` reject with its error.
    const begun = send(client, `BEGIN; ${lock}`).catch(fail)
    // The first statements of `work` are sent together with BEGIN, which saves a round trip.
    const results = await sendInOneTrip([begun, run(work)])
    value = results[1]
  } catch (error) {
    const isConnected = !(error instanceof StoreUnavailable)
    if (isConnected) await send(client, 'ROLLBACK')
    throw error
  }
  await commit(client)
  return value
}

/**
 * Commits the transaction of a connection. Throws the error of the server if that refuses it.
 *
 * @throws {StoreUnavailable} if nobody knows whether the transaction was committed
 */
async function commit(client: pg.PoolClient): Promise<void> {
  try {
    await send(client, 'COMMIT')
  } catch (cause) {
    // If the server still accepts a statement, it has refused the commit. Otherwise the transaction
    // may be committed, so it must not be retried.
    const isRefused = !(cause instanceof Broken) && (await isUsable(client))
    if (isRefused) throw cause
    throw new StoreUnavailable('the database did not confirm a commit', { cause })
  }
}

/** Whether the server still accepts a statement on this connection. */
async function isUsable(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK')
    return true
  } catch {
    return false
  }
}

/** The connection broke before the commit, so nothing has happened. */
class Broken extends StoreUnavailable {}

/**
 * Sends a query and returns its result. Throws `Broken` if the connection broke before the server
 * responded; an error that the server returned is thrown as it is.
 */
async function send(client: pg.PoolClient, query: string | pg.QueryConfig) {
  const { stream } = client.connection
  // Queries that start together are written to the socket at once, in the next tick.
  stream.cork()
  process.nextTick(() => stream.uncork())
  try {
    return await client.query(query)
  } catch (cause) {
    if (isFromServer(cause)) throw cause
    throw new Broken('the connection to the database broke', { cause })
  }
}

/**
 * Whether the server refused a statement and keeps running. Class 57P means that the server shuts
 * down (PostgreSQL, appendix A).
 */
function isFromServer(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  const isShuttingDown = error.code?.startsWith('57P') ?? false
  return !isShuttingDown
}

/** Classes of codes: their first two characters (PostgreSQL, appendix A). */
const UNAVAILABLE_CLASSES = new Set([
  '08', // connection exception
  '40', // transaction rollback
  '53', // insufficient resources
  '57', // operator intervention
  '58', // system error
])

const UNAVAILABLE_CODES = new Set([
  '25006', // read_only_sql_transaction: after a failover
  '55P03', // lock_not_available: a lock was not granted in time
])

/**
 * An error as the store throws it: `StoreUnavailable` if its code means that the database cannot be
 * used for a time, such as 53300 for too many connections; else the error itself.
 */
function asStoreError(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error

  const code = String(error.code)
  const isUnavailable = UNAVAILABLE_CLASSES.has(code.slice(0, 2)) || UNAVAILABLE_CODES.has(code)
  if (!isUnavailable) return error
  return new StoreUnavailable(`the database refused a statement (${code})`, { cause: error })
}

/** Whether a transaction can run again: nothing of it has happened. */
function isRetryable(error: unknown): boolean {
  if (error instanceof Broken) return true
  return error instanceof pg.DatabaseError && CONFLICTS.has(String(error.code))
}
