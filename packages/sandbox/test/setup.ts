import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openStore } from '../src/store/open.ts'
import { startPostgres, TABLES } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: number
    folder: string
  }
}

/**
 * Starts one PostgreSQL for all test files, and creates a folder for their states. Returns what
 * removes them.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-state-'))
  const postgres = await startPostgres()

  // Opening it creates the empty tables, which the tests copy.
  const tables = await openStore({ databaseUrl: await postgres.newDatabase('template1', TABLES) })
  await tables.close()

  project.provide('postgres', postgres.port)
  project.provide('folder', folder)

  return () => {
    rmSync(folder, { recursive: true, force: true })
    return postgres.stop()
  }
}
