import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Row, SurveyOptions } from './store.ts'

/** A database of SQLite: its file, or its bytes, which go over to the thread that reads them. */
export type Surveyed = { readonly file: string } | { readonly bytes: Uint8Array<ArrayBuffer> }

/**
 * Reads a database on a thread and a connection of its own, as of one moment. It ends after the statement that it is at
 * when the signal aborts.
 */
export function surveySqlite(
  surveyed: Surveyed,
  selects: readonly string[],
  { signal, onProgress }: SurveyOptions,
): Promise<Row[][]> {
  const { promise, resolve, reject } = Promise.withResolvers<Row[][]>()
  const found: Row[][] = []
  const transferList = 'bytes' in surveyed ? [surveyed.bytes.buffer] : []
  const worker = new Worker(WORKER, { workerData: { ...surveyed, selects }, transferList })
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
    else reject(new Error('the survey ended early'))
  })
  return promise.finally(() => signal.removeEventListener('abort', end))
}

// Built, it is JavaScript.
const WORKER = new URL(`survey-worker${extname(import.meta.url)}`, import.meta.url)
