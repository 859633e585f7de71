import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openStore } from '../src/store/open.ts'
import { type OwnPostgres, startPostgres, TABLES } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: number
    folder: string
  }
}

let postgres: OwnPostgres
const folder = mkdtempSync(join(tmpdir(), 'sandbox-state-'))

/** Starts one PostgreSQL for all test files, and creates a folder for their states. */
export async function setup(project: TestProject): Promise<void> {
  postgres = await startPostgres()
  const tables = await openStore({ databaseUrl: await postgres.newDatabase('template1', TABLES) })
  await tables.close()
  project.provide('postgres', postgres.port)
  project.provide('folder', folder)
}

export function teardown(): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  return postgres.stop()
}
