import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  type Queries,
  type Row,
  type Store,
  StoreError,
  StoreUnavailable,
  type SurveyOptions,
  type Value,
} from './store.ts'
import { createSurveys } from './surveys.ts'

/** Runs of one transaction at most, when others get into its way or its connection breaks. */
const RUNS = 8
/** serialization_failure and deadlock_detected (PostgreSQL, appendix A). */
const AGAIN = new Set(['40001', '40P01'])
const INT8 = 20
const TEXT = 25

/** How {@link openPostgres} waits. */
export interface PostgresOptions {
  /** Milliseconds to wait for a connection; 5,000 by default. */
  readonly connectMs?: number
  /** Milliseconds that a statement may go unanswered, before its connection is taken for broken; 15,000 by default. */
  readonly answerMs?: number
  /** Milliseconds after which the server gives a statement up; 10,000 by default. */
  readonly statementMs?: number
}

/**
 * The state in a PostgreSQL, which any number of instances may share.
 *
 * @throws {StoreError} when it cannot be reached, or the URL is not that of a PostgreSQL.
 */
export async function openPostgres(
  connectionString: string,
  { connectMs = 5_000, answerMs = 15_000, statementMs = 10_000 }: PostgresOptions = {},
): Promise<Store> {
  // Of another kind of URL, pg would take the host and try.
  if (!/^postgres(ql)?:\/\//i.test(connectionString))
    throw new StoreError('DATABASE_URL must begin with postgres://')
  const pool = new pg.Pool({
    connectionString,
    max: 20,
    connectionTimeoutMillis: connectMs,
    // The server gives up first, where it is there to do so.
    statement_timeout: statementMs,
    query_timeout: answerMs,
    idle_in_transaction_session_timeout: 10_000,
    types: { getTypeParser },
  })
  // A connection that breaks, idle or at work, is told by the next call; without listeners it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  await reach(pool)
  const running = new Set<Promise<unknown>>()
  const run = <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const ended = onConnection(pool, work).finally(() => running.delete(ended))
    running.add(ended)
    return ended
  }
  const surveys = createSurveys((selects, options) => surveyDatabase(connectionString, selects, options))
  return {
    backend: 'postgres',
    skipLocked: ' FOR UPDATE SKIP LOCKED',
    time: 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)',
    read: (work) => run((client) => work(queriesOf(client))),
    write: (work) => run((client) => transaction(client, work, SHARED)),
    alone: (work) => run((client) => transaction(client, work, EXCLUSIVE)),
    survey: surveys.run,
    async close() {
      await surveys.close()
      // The pool would turn away those that still wait for a connection.
      await Promise.allSettled(running)
      await pool.end()
    },
  }
}

/** Reads as of one moment on a connection of its own, so that the pool keeps all of its own. */
async function surveyDatabase(
  connectionString: string,
  selects: readonly string[],
  { signal, onProgress }: SurveyOptions,
): Promise<Row[][]> {
  const config = { connectionString, connectionTimeoutMillis: 5_000, types: { getTypeParser } }
  const client = new pg.Client(config)
  client.on('error', () => {})
  // A database that does not respond cannot cancel the query, so the connection is cut in any case.
  const cancel = () => void cancelQuery(config, client).finally(() => client.end().catch(() => {}))
  try {
    await client.connect()
    signal.throwIfAborted()
    signal.addEventListener('abort', cancel)
    await client.query(SURVEY)
    const found: Row[][] = []
    for (const sql of selects) {
      found.push((await client.query(sql)).rows)
      signal.throwIfAborted()
      onProgress?.(found.length)
    }
    return found
  } catch (cause) {
    signal.throwIfAborted()
    throw new StoreUnavailable('the survey of the database failed', { cause })
  } finally {
    signal.removeEventListener('abort', cancel)
    await client.end().catch(() => {})
  }
}

// Whole tables are read: without statistics, the planner would look up each row of one in another.
const SURVEY = `
  BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL statement_timeout = 120000; SET LOCAL enable_nestloop = off; SET LOCAL work_mem = '64MB'`

/** A client, with what its types leave out: the number of its process at the server. */
type Connected = pg.Client & { readonly processID?: number | null }

/** Cancels the query of a connection: the server would not notice that nobody waits for it. */
async function cancelQuery(config: pg.ClientConfig, { processID }: Connected): Promise<void> {
  const other = new pg.Client({ ...config, connectionTimeoutMillis: 1_000, query_timeout: 1_000 })
  other.on('error', () => {})
  try {
    await other.connect()
    await other.query('SELECT pg_cancel_backend($1)', [processID])
  } catch {
    // Its statement timeout ends it then.
  } finally {
    await other.end().catch(() => {})
  }
}

async function reach(pool: pg.Pool): Promise<void> {
  try {
    await pool.query('SELECT 1')
  } catch (error) {
    await pool.end()
    const why = error instanceof Error ? error.message || ('code' in error ? error.code : '') : error
    throw new StoreError(`the database of DATABASE_URL cannot be reached: ${why}`, { cause: error })
  }
}

/** Without this, pg gives whole numbers of 64 bits as text. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8) return BigInt
  return oid === TEXT ? unescaped : pg.types.getTypeParser(oid, format as 'text')
}

/** U+10FFFF is no character, and marks what PostgreSQL cannot store: U+0000, which JSON can say, and itself. */
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
    told(client.query({ ...statementOf(sql), values: values.map(escaped) }))
  return {
    get: async <R extends object>(sql: string, values?: readonly Value[]) =>
      (await ask(sql, values)).rows[0] as R | undefined,
    all: async <R extends object>(sql: string, values?: readonly Value[]) =>
      (await ask(sql, values)).rows as R[],
    run: async (sql, values) => (await ask(sql, values)).rowCount ?? 0,
  }
}

const statements = new Map<string, { name: string; text: string }>()

/** `?` becomes `$1`, and each text is prepared once on a connection. */
function statementOf(sql: string): { name: string; text: string } {
  const known = statements.get(sql)
  if (known) return known
  let count = 0
  const made = { name: `s${statements.size}`, text: sql.replaceAll('?', () => `$${++count}`) }
  statements.set(sql, made)
  return made
}

/** Runs again, from its start, what others got into the way of, and what lost its connection before it committed. */
async function onConnection<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  for (let run = 1; ; run++) {
    const client = await connect(pool)
    let isBroken = false
    try {
      return await work(client)
    } catch (error) {
      isBroken = error instanceof StoreUnavailable
      if (!isWorthAnother(error) || run === RUNS) throw named(error)
    } finally {
      // A broken connection is closed, not given to the next one.
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
 * Every transaction takes this lock before any other, so an exclusive one cannot deadlock with them. PostgreSQL grants it
 * in the order of the requests (13.3.5 Advisory Locks). Any number works, if all instances use the same.
 */
const LOCK = 20_661_705
const SHARED = `SELECT pg_advisory_xact_lock_shared(${LOCK})`
const EXCLUSIVE = `SELECT pg_advisory_xact_lock(${LOCK})`

async function transaction<T>(
  client: pg.PoolClient,
  work: (queries: Queries) => Promise<T>,
  lock: string,
): Promise<T> {
  try {
    await told(client.query(`BEGIN; ${lock}`))
    const value = await work(queriesOf(client))
    await commit(client)
    return value
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) await told(client.query('ROLLBACK'))
    throw error
  }
}

async function commit(client: pg.PoolClient): Promise<void> {
  try {
    await told(client.query('COMMIT'))
  } catch (cause) {
    // Whether it was committed nobody can tell, so nothing may run it again.
    if (cause instanceof Broken) throw new StoreUnavailable('the connection broke at a commit', { cause })
    throw cause
  }
}

/** A connection that broke before a commit was asked for: nothing has happened. */
class Broken extends StoreUnavailable {}

/** A query whose failure says whether the connection broke. */
async function told<T>(query: Promise<T>): Promise<T> {
  try {
    return await query
  } catch (cause) {
    if (isAnswered(cause)) throw cause
    throw new Broken('the connection to the database broke', { cause })
  }
}

/** Whether the server refused a statement, and goes on; class 57P is the server's end (PostgreSQL, appendix A). */
function isAnswered(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !error.code?.startsWith('57P')
}

/** Connection, rollback, resources, operator, system; read-only after a failover (PostgreSQL, appendix A). */
const UNAVAILABLE = /^(08|40|53|57|58)|^25006$/

/** The error, or `StoreUnavailable` where its code says that the database cannot be used for now. */
function named(error: unknown): unknown {
  const code = error instanceof pg.DatabaseError ? String(error.code) : ''
  if (!UNAVAILABLE.test(code)) return error
  return new StoreUnavailable(`the database refused a statement (${code})`, { cause: error })
}

function isWorthAnother(error: unknown): boolean {
  return error instanceof Broken || (error instanceof pg.DatabaseError && AGAIN.has(String(error.code)))
}
