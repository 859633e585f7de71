import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, inject } from 'vitest'
import type { StoreOptions } from '../src/store/open.ts'
import type { Store } from '../src/store/store.ts'
import { type Postgres, postgresAt, TABLES } from './postgres.ts'

/** The kinds of storage. */
export const KINDS = ['sqlite, in memory', 'sqlite, in a file', 'postgres'] as const
export type Kind = (typeof KINDS)[number]

/** Creates empty states of every kind, until the end of the file or block. */
export function openBackends() {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-state-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  let files = 0
  /** A path of a missing file, in a temporary folder. */
  const newFile = () => join(folder, `${++files}.db`)
  return {
    newFile,
    newState: async (kind: Kind): Promise<StoreOptions> => {
      if (kind === 'postgres') return { databaseUrl: await newDatabase() }
      return kind === 'sqlite, in a file' ? { file: newFile() } : {}
    },
  }
}

/** Returns the URL of a new database with empty tables. */
export function newDatabase(): Promise<string> {
  return sharedPostgres().newDatabase(TABLES)
}

/** The PostgreSQL that all test files share, because starting one takes longer than most of them. */
export function sharedPostgres(): Postgres {
  return postgresAt(inject('postgres'))
}

/** The names and values of the table of settings. */
export async function settingsOf(store: Store): Promise<Record<string, string>> {
  const sql = 'SELECT name, value FROM settings'
  const rows = await store.read((queries) => queries.all<{ name: string; value: string }>(sql))
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}
