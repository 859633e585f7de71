import { DatabaseSync } from 'node:sqlite'
import type { Report, Surveyed, Task } from './survey.ts'

// The process of `surveySqlite`: the rows of each SELECT, one message after another, as of the first.

process.once('message', async ({ selects, ...surveyed }: Task) => {
  try {
    const database = open(surveyed)
    // What the database gives are rows.
    for (const sql of selects) await report({ rows: database.prepare(sql).all() as never })
  } catch (error) {
    await report({ error: String(error) })
  }
  process.exit()
})

/** Resolves when it is on its way, or nobody listens any more. */
function report(message: Report): Promise<void> {
  return new Promise((resolve) => void process.send?.(message, undefined, undefined, () => resolve()))
}

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
  reader.exec('PRAGMA cache_size = -524288; BEGIN')
  return reader
}
