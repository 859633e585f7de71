import type { TestProject } from 'vitest/node'
import { openStore } from '../src/store/open.ts'
import { type OwnPostgres, startPostgres, TABLES } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: number
  }
}

let postgres: OwnPostgres

/** Starts one PostgreSQL for all test files. */
export async function setup(project: TestProject): Promise<void> {
  postgres = await startPostgres()
  const tables = await openStore({ databaseUrl: await postgres.newDatabase('template1', TABLES) })
  await tables.close()
  project.provide('postgres', postgres.port)
}

export function teardown(): Promise<void> {
  return postgres.stop()
}
