import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { backup, type DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import type { Row, SurveyOptions } from './store.ts'

/**
 * Reads a file on a thread and a connection of its own, as of one moment: in WAL mode, a reader and the writer do not
 * wait for each other. It ends after the statement that it is at when the signal aborts.
 */
export function surveyFile(
  file: string,
  selects: readonly string[],
  { signal, onProgress }: SurveyOptions,
): Promise<Row[][]> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<Row[][]>()
  const found: Row[][] = []
  const worker = new Worker(WORKER, { workerData: { file, selects } })
  const end = () => {
    reject(signal.reason)
    void worker.terminate()
  }
  signal.addEventListener('abort', end)
  worker.on('message', (rows: Row[]) => {
    found.push(rows)
    onProgress?.(found.length)
  })
  worker.on('error', reject)
  worker.on('exit', () => {
    if (found.length === selects.length) resolve(found)
    else reject(new Error(`the survey of ${file} ended early`))
  })
  return promise.finally(() => signal.removeEventListener('abort', end))
}

// Built, it is JavaScript.
const WORKER = new URL(`survey-worker${extname(import.meta.url)}`, import.meta.url)

/** Pages that are copied in one go: the main thread waits for about a millisecond. */
const PAGES = 250

/**
 * Reads a database in memory, which no other thread can reach: a copy of it, in a file that only this user can read,
 * and which is removed afterwards.
 */
export async function surveyMemory(
  database: DatabaseSync,
  selects: readonly string[],
  options: SurveyOptions,
): Promise<Row[][]> {
  const file = join(mkdtempSync(join(tmpdir(), 'sandbox-survey-')), 'state.db')
  try {
    await backup(database, file, { rate: PAGES })
    return await surveyFile(file, selects, options)
  } finally {
    rmSync(dirname(file), { recursive: true, force: true })
  }
}
