import { type ChildProcess, fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Row, StoreUnavailable, type SurveyOptions } from './store.ts'

/** An SQLite database: its file or its bytes. */
export type Surveyed = { readonly file: string } | { readonly bytes: Uint8Array }

/** The input of the child process. */
export type Task = Surveyed & { readonly selects: readonly string[] }

/** A message from the child process. */
export type Report = { readonly rows: Row[] } | { readonly error: string }

/**
 * Reads a snapshot of a database in a child process, so that the main process stays responsive. A thread would not do:
 * nothing can interrupt a statement in it, so a stopping sandbox would have to wait.
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
  // All its messages have arrived before this event.
  child.on('disconnect', () => fail(new Error('its process ended early')))
  send(child, { ...surveyed, selects }).catch(fail)
  return promise.finally(() => {
    signal.removeEventListener('abort', end)
    child.kill('SIGKILL')
  })
}

/** Rejects if a database in memory is larger than the maximum message size, because `send` throws then. */
async function send(child: ChildProcess, task: Task): Promise<void> {
  child.send(task)
}

function start(): ChildProcess {
  // The built file has the extension `.js`.
  const script = new URL(`survey-child${extname(import.meta.url)}`, import.meta.url)
  const child = fork(fileURLToPath(script), [], {
    serialization: 'advanced',
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  return child
}
