import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoreOptions } from '../../src/store/open.ts'
import type { Postgres } from '../postgres.ts'
import { sharedPostgres } from '../shared-postgres.ts'

/** New, empty states of every kind, and what they stand on. */
export interface Backends {
  readonly postgres: Postgres
  /** A path in a folder of this test run, where nothing is yet. */
  newFile(): string
  newState(kind: Kind): Promise<StoreOptions>
  /** Removes that folder. */
  remove(): void
}

/** Where a state can live. */
export const KINDS = ['sqlite, in memory', 'sqlite, in a file', 'postgres'] as const
export type Kind = (typeof KINDS)[number]

export function openBackends(): Backends {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-state-'))
  const postgres = sharedPostgres()
  let files = 0
  const newFile = () => join(folder, `${++files}.db`)
  return {
    postgres,
    newFile,
    async newState(kind) {
      if (kind === 'postgres') return { databaseUrl: await postgres.newDatabase() }
      return kind === 'sqlite, in a file' ? { file: newFile() } : {}
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
