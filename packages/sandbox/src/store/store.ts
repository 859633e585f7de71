/** A column value. Both backends return every integer as a bigint. */
export type Value = string | number | bigint | null

/** A row, with the columns of its SELECT. */
export type Row = Readonly<Record<string, Value>>

/**
 * Runs statements, inside a transaction or not. Both backends use the same SQL, except for locks,
 * `skipLocked` and `time`: `?` is a parameter, integers are BIGINT, times are milliseconds since
 * 1970, and JSON is text.
 */
export interface Queries {
  /** The first row, or undefined. */
  get<R extends object>(sql: string, values?: readonly Value[]): Promise<R | undefined>
  /** Every row. */
  all<R extends object>(sql: string, values?: readonly Value[]): Promise<R[]>
  /** Returns the number of changed rows. */
  run(sql: string, values?: readonly Value[]): Promise<number>
}

/** A statement with `?` for each parameter, and the values in that order. */
type Statement = [sql: string, values: Value[]]

/**
 * Converts a statement with named parameters to one with `?` and its values, for
 * `queries.run(...)`: `bind('id = :id', { id: 7 })` → `['id = ?', [7]]`. A name may occur several
 * times. Statements whose values are not obvious from their order use names.
 *
 * @throws {TypeError} if a parameter has no value
 */
export function bind(sql: string, values: Readonly<Record<string, Value>>): Statement {
  const { text, names } = parseTemplate(sql)
  const inOrder = names.map((name) => {
    const value = values[name]
    if (value === undefined) throw new TypeError(`the parameter :${name} has no value`)
    return value
  })
  return [text, inOrder]
}

/** A statement with `?` for each named parameter, and the names in the order of the text. */
interface Template {
  readonly text: string
  readonly names: readonly string[]
}

const templates = new Map<string, Template>()

/**
 * Replaces the named parameters of a statement by `?`, and lists their names in order: `id = :id` →
 * `{ text: 'id = ?', names: ['id'] }`. Each statement is parsed once.
 */
function parseTemplate(sql: string): Template {
  const parsed = templates.get(sql)
  if (parsed) return parsed

  const names: string[] = []
  const text = sql.replaceAll(/:(\w+)/g, (_, name: string) => {
    names.push(name)
    return '?'
  })
  const template = { text, names }
  templates.set(sql, template)
  return template
}

/**
 * The statement that inserts a row, each value into the column of its name. `rest` follows the
 * values, such as an ON CONFLICT clause.
 */
export function insertStatement(table: string, row: Row, rest = ''): Statement {
  const columns = Object.keys(row)
  const places = columns.map(() => '?')
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')}) ${rest}`
  return [sql, Object.values(row)]
}

/**
 * Awaits the parts of a transaction that need not wait for each other. PostgreSQL receives their
 * statements in the order in which they were started, without a round trip between them. If one
 * part rejects, this waits for the others before it rejects, because a statement after the rollback
 * would run outside of the transaction.
 */
export function sendInOneTrip<const T extends readonly Promise<unknown>[]>(work: T) {
  return Promise.all(work).catch(async (first: unknown) => {
    await Promise.allSettled(work)
    // The error that came first is the cause of the others.
    throw first
  })
}

/**
 * Where the state is stored. The two backends behave the same: what a `write` has committed
 * survives a power failure.
 */
export interface Store {
  readonly backend: 'sqlite' | 'postgres'
  /** Appended to a SELECT that claims rows, so that each instance gets different ones. */
  readonly skipLocked: string
  /**
   * An SQL expression for the database time in milliseconds since 1970, the same for every
   * instance.
   */
  readonly time: string
  /** Reads committed data. */
  read<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /**
   * Runs a transaction: everything is committed durably, or nothing if `work` or a statement
   * rejects. After a conflict it runs again from the start, so `work` must have no other side
   * effects and await nothing but its queries.
   *
   * PostgreSQL receives the first statements together with BEGIN. If it does not run BEGIN, it
   * commits each of them by itself, and `work` rejects at its next one. So a transaction that moves
   * money starts with reads.
   */
  write<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /**
   * A `write` that runs exclusively across all instances. It waits for those in progress, and later
   * ones wait for it, so it cannot starve.
   */
  alone<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /**
   * Empties every table except `settings`, and runs `work` in the same transaction, exclusively
   * like `alone`. The time does not grow with the rows. `read` and `write` wait for it.
   *
   * @throws {StoreUnavailable} if another program keeps reading the tables of PostgreSQL; nothing
   *   has changed.
   */
  clear<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/**
 * The state cannot be opened. The message is for the person at the command line.
 *
 * @example
 * await createApp({ file: 'state.db' }).catch((error) => {
 *   if (error instanceof StoreError) console.error(error.message)
 * })
 */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

/**
 * The state is temporarily unreachable or cannot be read or written. A `write` that rejects with it
 * may have been committed. The message is shown to clients.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}
