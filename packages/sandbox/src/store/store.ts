/** What a column holds on its way in and out. Every whole number comes out as a bigint, on both backends. */
export type Value = string | number | bigint | null

/** A row, as the statement that asks for it says. */
export type Row = Readonly<Record<string, Value>>

/**
 * Statements of one transaction, or of none. One text for both backends: `?` stands for a value, whole numbers are
 * BIGINT, times are milliseconds since 1970, and JSON is text.
 */
export interface Queries {
  /** The first row, or undefined. */
  get<R extends object>(sql: string, values?: readonly Value[]): Promise<R | undefined>
  /** Every row. */
  all<R extends object>(sql: string, values?: readonly Value[]): Promise<R[]>
  /** How many rows were changed. */
  run(sql: string, values?: readonly Value[]): Promise<number>
}

/** Where the state lives. Two backends, one meaning: what a `write` answered is there after the power went out. */
export interface Store {
  readonly backend: 'sqlite' | 'postgres'
  /** Ends a SELECT that claims rows, so that several instances take different ones. */
  readonly skipLocked: string
  /** The time of the database in milliseconds since 1970, as an expression: the same for every instance. */
  readonly time: string
  /** Sees what was committed. */
  read<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /**
   * A transaction: all of it, durably, or nothing when `work` rejects. It may be run again from its start when two of
   * them get into each other's way, so it does nothing beside its queries, and awaits nothing else.
   */
  write<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /**
   * A `write` beside which no other runs, of any instance: it waits for those under way, and later ones wait for it.
   * None can hold it up by coming again and again.
   */
  alone<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /**
   * The rows of each SELECT, all as of one moment, beside what is served: on a connection of its own, and for SQLite
   * in a process of its own. For statements that go through whole tables.
   *
   * @throws {StoreUnavailable} when it cannot be reached, or a SELECT takes too long; the reason of the signal.
   */
  survey(selects: readonly string[], options: SurveyOptions): Promise<Row[][]>
  close(): Promise<void>
}

export interface SurveyOptions {
  /** Ends it. */
  readonly signal: AbortSignal
  /** Called after each SELECT with the number of those done. */
  readonly onProgress?: (done: number) => void
}

/**
 * The state cannot be opened, and why; for the person at the command line.
 *
 * @example
 * await createSandbox({ file: 'state.db' }).catch((error) => {
 *   if (error instanceof StoreError) console.error(error.message)
 * })
 */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

/**
 * The state cannot be reached, read or written for the moment. A `write` that rejects with it may have been committed,
 * as far as can be told. The message is shown to clients.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}
