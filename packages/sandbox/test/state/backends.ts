import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoreOptions } from '../../src/store/open.ts'
import { type Postgres, startPostgres } from '../postgres.ts'

/** New, empty states of every kind, and what they stand on. */
export interface Backends {
  readonly postgres: Postgres
  /** A path in a folder of this test run, where nothing is yet. */
  newFile(): string
  newState(kind: Kind): Promise<StoreOptions>
  stop(): Promise<void>
}

/** Where a state can live. */
export const KINDS = ['sqlite, in memory', 'sqlite, in a file', 'postgres'] as const
export type Kind = (typeof KINDS)[number]

export async function startBackends(): Promise<Backends> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-state-'))
  const postgres = await startPostgres()
  let files = 0
  const newFile = () => join(folder, `${++files}.db`)
  return {
    postgres,
    newFile,
    async newState(kind) {
      if (kind === 'postgres') return { databaseUrl: await postgres.newDatabase() }
      return kind === 'sqlite, in a file' ? { file: newFile() } : {}
    },
    async stop() {
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
