import { join } from 'node:path'
import { inject } from 'vitest'
import type { StoreOptions } from '../src/store/open.ts'
import type { Store } from '../src/store/store.ts'
import { postgresAt, TABLES } from './postgres.ts'

/** The kinds of storage. */
export const KINDS = ['sqlite, in memory', 'sqlite, in a file', 'postgres'] as const
/** One of each backend. */
export const BACKENDS = ['sqlite, in memory', 'postgres'] as const
/** Those that a process leaves to the next one. */
export const DURABLE = ['sqlite, in a file', 'postgres'] as const

/** An empty state. */
export async function newState(kind: (typeof KINDS)[number]): Promise<StoreOptions> {
  if (kind === 'postgres') return { databaseUrl: await newDatabase() }
  if (kind === 'sqlite, in a file') return { file: newFile() }
  return {}
}

/** A path of a missing file, in a temporary folder. */
export function newFile(): string {
  return join(inject('folder'), `${crypto.randomUUID()}.db`)
}

/**
 * Returns the URL of a new database, by default with empty tables, in the PostgreSQL that all test
 * files share.
 */
export function newDatabase(template = TABLES): Promise<string> {
  return postgresAt(inject('postgres')).newDatabase(template)
}

/** The names and values of the table of settings. */
export async function settingsOf(store: Store): Promise<Record<string, string>> {
  const sql = 'SELECT name, value FROM settings'
  const rows = await store.read((queries) => queries.all<{ name: string; value: string }>(sql))
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}
