import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

// The thread of `surveyFile`: the rows of each SELECT, one message after another, as of the first.
const { file, selects }: { file: string; selects: readonly string[] } = workerData

const database = new DatabaseSync(file, { readOnly: true, readBigInts: true, timeout: 5_000 })
database.exec('PRAGMA cache_size = -65536; BEGIN')
for (const sql of selects) parentPort?.postMessage(database.prepare(sql).all())
database.close()
