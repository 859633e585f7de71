import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  inOneTrip,
  type Queries,
  type Store,
  StoreError,
  StoreUnavailable,
  type Value,
} from './store.ts'
import { TABLES } from './tables.ts'
import { createTransaction } from './transaction.ts'

/** Maximum runs of one transaction, after conflicts or a broken connection. */
const RUNS = 8
/** serialization_failure and deadlock_detected (PostgreSQL, appendix A). */
const AGAIN = new Set(['40001', '40P01'])
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
  {
    connectMs = 5_000,
    responseMs = 15_000,
    statementMs = 10_000,
    lockMs = 5_000,
  }: PostgresOptions = {},
): Promise<Store> {
  // pg would ignore another scheme and connect to the host.
  if (!/^postgres(ql)?:\/\//i.test(connectionString))
    throw new StoreError('DATABASE_URL must begin with postgres://')
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
  await reach(pool)
  const running = new Set<Promise<unknown>>()
  const run = <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const ended = onConnection(pool, work).finally(() => running.delete(ended))
    running.add(ended)
    return ended
  }
  return {
    backend: 'postgres',
    skipLocked: ' FOR UPDATE SKIP LOCKED',
    time: 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)',
    read: (work) => run((client) => work(queriesOf(client))),
    write: (work) => run((client) => transaction(client, work, SHARED)),
    alone: (work) => run((client) => transaction(client, work, EXCLUSIVE)),
    clear: (work) =>
      run((client) => {
        const workOnEmpty = async (queries: Queries) => {
          await queries.run(`SET LOCAL lock_timeout = ${lockMs}`)
          await queries.run(`TRUNCATE ${TABLES.join(', ')}`)
          return work(queries)
        }
        return transaction(client, workOnEmpty, EXCLUSIVE)
      }),
    async close() {
      // Closing the pool would refuse callers that still wait for a connection.
      await Promise.allSettled(running)
      await pool.end()
    },
  }
}

async function reach(pool: pg.Pool): Promise<void> {
  try {
    await pool.query('SELECT 1')
  } catch (error) {
    await pool.end()
    const why =
      error instanceof Error ? error.message || ('code' in error ? error.code : '') : error
    throw new StoreError(`the database of DATABASE_URL cannot be reached: ${why}`, { cause: error })
  }
}

/** By default, pg returns 64-bit integers as strings. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8) return BigInt
  return oid === TEXT ? unescaped : pg.types.getTypeParser(oid, format as 'text')
}

/**
 * U+10FFFF is not a character. It escapes itself and U+0000, which JSON allows but PostgreSQL
 * cannot store.
 */
const MARK = '\u{10FFFF}'

function escaped(value: Value): Value {
  if (typeof value !== 'string' || !(value.includes('\0') || value.includes(MARK))) return value
  return value.replaceAll(MARK, `${MARK}1`).replaceAll('\0', `${MARK}0`)
}

function unescaped(text: string): string {
  return text.includes(MARK) ? text.replaceAll(`${MARK}0`, '\0').replaceAll(`${MARK}1`, MARK) : text
}

function queriesOf(client: pg.PoolClient): Queries {
  const ask = (sql: string, values: readonly Value[] = []) =>
    send(client, { ...statementOf(sql), values: values.map(escaped) })
  return {
    get: async <R extends object>(sql: string, values?: readonly Value[]) =>
      (await ask(sql, values)).rows[0] as R | undefined,
    all: async <R extends object>(sql: string, values?: readonly Value[]) =>
      (await ask(sql, values)).rows as R[],
    run: async (sql, values) => (await ask(sql, values)).rowCount ?? 0,
  }
}

const statements = new Map<string, { name: string; text: string }>()

/** Replaces `?` by `$1` and so on. Each statement is prepared once per connection. */
function statementOf(sql: string): { name: string; text: string } {
  const known = statements.get(sql)
  if (known) return known
  let count = 0
  const made = { name: `s${statements.size}`, text: sql.replaceAll('?', () => `$${++count}`) }
  statements.set(sql, made)
  return made
}

/** Retries a transaction after a conflict, or if its connection broke before the commit. */
async function onConnection<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  for (let run = 1; ; run++) {
    const client = await connect(pool)
    let isBroken = false
    try {
      return await work(client)
    } catch (error) {
      isBroken = error instanceof StoreUnavailable
      if (!isWorthAnother(error) || run === RUNS) throw named(error)
    } finally {
      // Close a broken connection instead of returning it to the pool.
      client.release(isBroken)
    }
    await sleep(run * 5)
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
const SHARED = `SELECT pg_advisory_xact_lock_shared(${LOCK})`
const EXCLUSIVE = `SELECT pg_advisory_xact_lock(${LOCK})`

async function transaction<T>(
  client: pg.PoolClient,
  work: (queries: Queries) => Promise<T>,
  lock: string,
): Promise<T> {
  const { run, fail } = createTransaction(queriesOf(client))
  const begun = send(client, `BEGIN; ${lock}`).catch(fail)
  const [, value] = await inOneTrip([begun, run(work)]).catch(async (error: unknown) => {
    if (!(error instanceof StoreUnavailable)) await send(client, 'ROLLBACK')
    throw error
  })
  await commit(client)
  return value
}

async function commit(client: pg.PoolClient): Promise<void> {
  try {
    await send(client, 'COMMIT')
  } catch (cause) {
    // A server that refused the commit accepts another statement. If it does not, the transaction
    // may be committed, so it must not be retried.
    if (cause instanceof Broken || !(await isUsable(client)))
      throw new StoreUnavailable('the database did not confirm a commit', { cause })
    throw cause
  }
}

function isUsable(client: pg.PoolClient): Promise<boolean> {
  return client.query('ROLLBACK').then(
    () => true,
    () => false,
  )
}

/** The connection broke before the commit, so nothing has happened. */
class Broken extends StoreUnavailable {}

/**
 * Runs a query, and throws `Broken` if the connection broke. Those that start together are written
 * at once.
 */
async function send(client: pg.PoolClient, query: string | pg.QueryConfig) {
  const { stream } = client.connection
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
  return error instanceof pg.DatabaseError && !error.code?.startsWith('57P')
}

/**
 * Connection, rollback, resources, operator, system; read-only after a failover; a lock that was
 * not granted in time (PostgreSQL, appendix A).
 */
const UNAVAILABLE = /^(08|40|53|57|58)|^25006$|^55P03$/

/** The error, or `StoreUnavailable` if its code means that the database is temporarily unusable. */
function named(error: unknown): unknown {
  const code = error instanceof pg.DatabaseError ? String(error.code) : ''
  if (!UNAVAILABLE.test(code)) return error
  return new StoreUnavailable(`the database refused a statement (${code})`, { cause: error })
}

function isWorthAnother(error: unknown): boolean {
  return (
    error instanceof Broken || (error instanceof pg.DatabaseError && AGAIN.has(String(error.code)))
  )
}
