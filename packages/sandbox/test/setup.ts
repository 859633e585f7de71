import type { TestProject } from 'vitest/node'
import { type OwnPostgres, startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: number
  }
}

let postgres: OwnPostgres

/** Starts one PostgreSQL for all test files. */
export async function setup(project: TestProject): Promise<void> {
  postgres = await startPostgres()
  project.provide('postgres', postgres.port)
}

export function teardown(): Promise<void> {
  return postgres.stop()
}
