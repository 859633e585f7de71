import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { Surveyed } from './survey.ts'

// The thread of `surveySqlite`: the rows of each SELECT, one message after another, as of the first.
const { selects, ...surveyed }: Surveyed & { selects: readonly string[] } = workerData

const database = open(surveyed)
for (const sql of selects) parentPort?.postMessage(database.prepare(sql).all())
database.close()

function open(from: Surveyed): DatabaseSync {
  if ('bytes' in from) {
    // Its types lack what Node has where there are bytes.
    const copy = new DatabaseSync(':memory:', { readBigInts: true }) as DatabaseSync & {
      deserialize(bytes: Uint8Array): void
    }
    copy.deserialize(from.bytes)
    return copy
  }
  // In WAL mode, a reader and the writer do not wait for each other.
  const reader = new DatabaseSync(from.file, { readOnly: true, readBigInts: true, timeout: 5_000 })
  reader.exec('PRAGMA cache_size = -65536; BEGIN')
  return reader
}
