import { DatabaseSync } from 'node:sqlite'
import type { Report, Surveyed, Task } from './survey.ts'

// The child process of `surveySqlite`. It sends the rows of each SELECT as one message, all from the same snapshot.

process.once('message', async ({ selects, ...surveyed }: Task) => {
  try {
    const database = open(surveyed)
    // The result of `all` is an array of rows.
    for (const sql of selects) await report({ rows: database.prepare(sql).all() as never })
  } catch (error) {
    await report({ error: String(error) })
  }
  process.exit()
})

/** Resolves when the message was sent, or the parent has disconnected. */
function report(message: Report): Promise<void> {
  return new Promise((resolve) => void process.send?.(message, undefined, undefined, () => resolve()))
}

function open(from: Surveyed): DatabaseSync {
  if ('bytes' in from) {
    // The types lack `deserialize`, which exists in every Node that can serialize.
    const copy = new DatabaseSync(':memory:', { readBigInts: true }) as DatabaseSync & {
      deserialize(bytes: Uint8Array): void
    }
    copy.deserialize(from.bytes)
    return copy
  }
  // In WAL mode, readers and the writer do not block each other.
  const reader = new DatabaseSync(from.file, { readOnly: true, readBigInts: true, timeout: 5_000 })
  reader.exec('PRAGMA cache_size = -524288; BEGIN')
  return reader
}
