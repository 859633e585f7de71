import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, inject } from 'vitest'
import type { StoreOptions } from '../src/store/open.ts'
import type { Store } from '../src/store/store.ts'
import { type Postgres, postgresAt } from './postgres.ts'

/** The kinds of storage. */
export const KINDS = ['sqlite, in memory', 'sqlite, in a file', 'postgres'] as const
export type Kind = (typeof KINDS)[number]

/** Creates empty states of every kind, until the end of the file or block. */
export function openBackends() {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-state-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const postgres = sharedPostgres()
  let files = 0
  /** A path of a missing file, in a temporary folder. */
  const newFile = () => join(folder, `${++files}.db`)
  const stateIn = async (kind: Kind, database: () => Promise<string>): Promise<StoreOptions> => {
    if (kind === 'postgres') return { databaseUrl: await database() }
    return kind === 'sqlite, in a file' ? { file: newFile() } : {}
  }
  const emptyDatabase = recycled(postgres)
  return {
    postgres,
    newFile,
    newState: (kind: Kind) => stateIn(kind, postgres.newDatabase),
    /** A state without rows, for a test that closes it and changes no table. A new database takes a third of a second. */
    emptyState: (kind: Kind) => stateIn(kind, emptyDatabase),
  }
}

/** Returns a database of an earlier test in this file with its rows deleted, or else a new one. */
function recycled(postgres: Postgres): () => Promise<string> {
  const free: string[] = []
  const taken: string[] = []
  // The first hook of a file runs last, when the test has closed its sandboxes.
  afterEach(() => void free.push(...taken.splice(0)))
  return async () => {
    const databaseUrl = free.pop() ?? (await postgres.newDatabase())
    taken.push(databaseUrl)
    await empty(databaseUrl)
    return databaseUrl
  }
}

/** Deletes all rows except for the schema version. */
async function empty(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  // Allows deleting rows in any order, despite foreign keys.
  await client.query('SET session_replication_role = replica')
  const { rows } = await client.query(
    `SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations'`,
  )
  await client.query(rows.map(({ tablename }) => `DELETE FROM ${tablename}`).join(';'))
  await client.end()
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
