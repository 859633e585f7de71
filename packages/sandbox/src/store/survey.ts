import { type ChildProcess, fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Row, StoreUnavailable, type SurveyOptions } from './store.ts'

/** A database of SQLite: its file, or its bytes. */
export type Surveyed = { readonly file: string } | { readonly bytes: Uint8Array }

/** What the process of a survey is to do. */
export type Task = Surveyed & { readonly selects: readonly string[] }

/** What it reports. */
export type Report = { readonly rows: Row[] } | { readonly error: string }

/**
 * Reads a database in a process of its own, as of one moment, and leaves the processor to those who are served. A thread
 * would not do: nothing ends one inside a statement, so that the sandbox would wait for that when it stops.
 */
export async function surveySqlite(
  surveyed: Surveyed,
  selects: readonly string[],
  { signal, onProgress }: SurveyOptions,
): Promise<Row[][]> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<Row[][]>()
  const found: Row[][] = []
  const child = start()
  const fail = (cause: unknown) => reject(new StoreUnavailable('the survey of the state failed', { cause }))
  const end = () => reject(signal.reason)
  signal.addEventListener('abort', end)
  child.on('error', fail)
  child.on('message', (report: Report) => {
    if ('error' in report) return fail(new Error(report.error))
    found.push(report.rows)
    onProgress?.(found.length)
    if (found.length === selects.length) resolve(found)
  })
  // By then, all that it reported has come.
  child.on('disconnect', () => fail(new Error('its process ended early')))
  send(child, { ...surveyed, selects }).catch(fail)
  return promise.finally(() => {
    signal.removeEventListener('abort', end)
    child.kill('SIGKILL')
  })
}

/** Rejects where a database in memory is larger than a message can be, which `send` throws. */
async function send(child: ChildProcess, task: Task): Promise<void> {
  child.send(task)
}

function start(): ChildProcess {
  // Built, it is JavaScript.
  const script = new URL(`survey-child${extname(import.meta.url)}`, import.meta.url)
  const child = fork(fileURLToPath(script), [], {
    serialization: 'advanced',
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  return child
}
