import type { TestProject } from 'vitest/node'
import { type OwnPostgres, startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: number
  }
}

let postgres: OwnPostgres

/** Starts the one PostgreSQL of a run, before its first file. */
export async function setup(project: TestProject): Promise<void> {
  postgres = await startPostgres()
  project.provide('postgres', postgres.port)
}

export function teardown(): Promise<void> {
  return postgres.stop()
}
