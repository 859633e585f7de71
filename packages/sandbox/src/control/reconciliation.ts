import { reconcileBeside } from '../ledger/reconcile.ts'
import { RULES } from '../ledger/rules.ts'
import { Refusal } from '../problems.ts'
import type { Store } from '../store/store.ts'

/** Maximum number of callers that wait for a run. */
const WAITING = 50

/** Checks the ledger, one run at a time. */
export interface Reconciliation {
  /**
   * Lists what does not add up, at a moment after this call. Callers that arrive during a run share the next one. A run
   * is cancelled when no caller waits for it any more.
   *
   * @throws {Refusal} `unavailable` when too many wait, the sandbox is closing, or the signal aborts.
   */
  findings(signal: AbortSignal): Promise<string[]>
  /** Progress of the current run, counted in rules. */
  progress(): { readonly running: boolean; readonly done: number; readonly of: number }
  /** Ends the current run, and starts no other. */
  close(): void
}

interface Run {
  readonly result: Promise<string[]>
  readonly cut: AbortController
  waiting: number
}

export function createReconciliation(store: Store): Reconciliation {
  let current: Run | undefined
  let next: Run | undefined
  let done = 0
  let isClosed = false

  function begin(before: Promise<unknown>): Run {
    const cut = new AbortController()
    const result = before.then(() => {
      done = 0
      return reconcileBeside(store, { signal: cut.signal, onProgress: (count) => (done = count) })
    })
    const run: Run = { result, cut, waiting: 0 }
    const end = () => {
      if (current !== run) return
      current = next
      next = undefined
    }
    result.then(end, end)
    return run
  }

  function upcoming(): Run {
    if (!current) {
      current = begin(Promise.resolve())
      return current
    }
    if (!next || next.cut.signal.aborted) next = begin(current.result.catch(() => {}))
    return next
  }

  return {
    findings(signal) {
      if (isClosed) throw new Refusal('unavailable', { detail: CLOSING })
      const run = upcoming()
      if (run.waiting >= WAITING) throw new Refusal('unavailable', { detail: FULL, headers: LATER })
      return waitFor(run, signal)
    },
    progress: () => ({ running: current !== undefined, done, of: RULES.length }),
    close() {
      isClosed = true
      for (const run of [current, next]) run?.cut.abort(new Refusal('unavailable', { detail: CLOSING }))
    },
  }
}

const CLOSING = 'The sandbox is closing.'
const FULL = 'Too many requests wait for the check of the ledger.'
const LATER = { 'retry-after': '5' }

async function waitFor(run: Run, signal: AbortSignal): Promise<string[]> {
  const { promise, reject } = Promise.withResolvers<never>()
  const leave = () => reject(new Refusal('unavailable', { detail: LEFT }))
  signal.addEventListener('abort', leave)
  run.waiting++
  try {
    if (signal.aborted) leave()
    return await Promise.race([run.result, promise])
  } finally {
    signal.removeEventListener('abort', leave)
    if (--run.waiting === 0) run.cut.abort(new Refusal('unavailable', { detail: NOBODY }))
  }
}

const LEFT = 'The client disconnected.'
const NOBODY = 'No request waits for the check any more.'
