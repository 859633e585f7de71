import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Queries, type Store, StoreError, type Value } from './store.ts'

/** Runs of one transaction at most, when others get into its way. */
const RUNS = 8
/** serialization_failure and deadlock_detected (PostgreSQL, appendix A). */
const AGAIN = new Set(['40001', '40P01'])
const INT8 = 20
const TEXT = 25

/**
 * The state in a PostgreSQL, which any number of instances may share.
 *
 * @throws {StoreError} when it cannot be reached.
 */
export async function openPostgres(connectionString: string): Promise<Store> {
  const pool = new pg.Pool({
    connectionString,
    max: 20,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 10_000,
    idle_in_transaction_session_timeout: 10_000,
    types: { getTypeParser },
  })
  // An idle connection that breaks is replaced by the next call; without a listener it would end the process.
  pool.on('error', () => {})
  await reach(pool)
  return {
    backend: 'postgres',
    skipLocked: ' FOR UPDATE SKIP LOCKED',
    read: (work) => work(queriesOf(pool)),
    write: (work) => write(pool, work),
    close: () => pool.end(),
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

function queriesOf(client: pg.Pool | pg.PoolClient): Queries {
  const ask = (sql: string, values: readonly Value[] = []) =>
    client.query({ ...statementOf(sql), values: values.map(escaped) })
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

async function write<T>(pool: pg.Pool, work: (queries: Queries) => Promise<T>): Promise<T> {
  for (let run = 1; ; run++) {
    const client = await pool.connect()
    try {
      return await transaction(client, work)
    } catch (error) {
      if (!isConflict(error) || run === RUNS) throw error
    }
    await sleep(run * 5)
  }
}

async function transaction<T>(client: pg.PoolClient, work: (queries: Queries) => Promise<T>): Promise<T> {
  let broken: Error | undefined
  try {
    await client.query('BEGIN')
    const value = await work(queriesOf(client))
    await client.query('COMMIT')
    return value
  } catch (error) {
    await client.query('ROLLBACK').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    // A connection that cannot roll back is closed, not given to the next one.
    client.release(broken)
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof Error && 'code' in error && AGAIN.has(String(error.code))
}
