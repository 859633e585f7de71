import type { Clock } from '../clock.ts'

/** Background work that becomes due: settlements, deliveries. */
export interface Duty {
  /**
   * Does one batch of due work, or starts it. Resolves with the number of items, or 0 if nothing
   * more is due.
   */
  run(launch: Launch): Promise<number>
  /** When the next item is due, in milliseconds since 1970; undefined if there is none. */
  next(): Promise<number | undefined>
  /**
   * Shortens waits that became too long because the clock went back. Also called before the first
   * look.
   */
  onClockSetBack?(): Promise<void>
  /** Ends work in progress soon. */
  abandon?(): void
}

/**
 * Registers work that continues after `run`. The loop is not idle until it ends, and then looks for
 * more work.
 */
export type Launch = (work: Promise<void>) => void

export interface LoopOptions {
  readonly clock: Clock
  /** Called with each error. The work is tried again. */
  readonly onError?: (error: unknown) => void
  /** Milliseconds between looks for work that another instance left behind; 1,000 by default. */
  readonly pollMs?: number
  /** Milliseconds to wait after an error; 1,000 by default. */
  readonly pauseMs?: number
  /** Milliseconds of a time that is never set back; by default those of the process. */
  readonly monotonic?: () => number
}

/** Maximum number of batches in a row. */
const MAX_BATCHES = 10_000
/** Milliseconds to wait for work that another instance claimed and has not finished. */
const ELSEWHERE_MS = 50

/**
 * Milliseconds after which waits are shortened again once the clock went back. A transaction that
 * began before that, also of another instance, can commit its old time later. PostgreSQL ends one
 * that idles after 10 seconds.
 */
const SHORTEN_AGAIN_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000]

/** Runs one duty whenever something is due. */
export function createLoop(duty: Duty, options: LoopOptions) {
  const { clock, onError = () => {}, pollMs = 1_000, pauseMs = 1_000 } = options
  const { monotonic = () => performance.now() } = options
  /** The next look. */
  let timer: NodeJS.Timeout | undefined
  /** The batches in progress. */
  let running: Promise<void> | undefined
  /** Work that continues after its batch. */
  const continuedWork = new Set<Promise<void>>()
  /** Whether somebody woke the loop, and the batch for that has not begun. */
  let isRunWanted = false
  let isClosed = false
  let isHeld = false
  /**
   * The time of the clock at the last look. Infinity at first, so that the first look shortens the
   * waits that an earlier process stored, too.
   */
  let latest = Number.POSITIVE_INFINITY
  /** When waits are shortened again, in milliseconds of `monotonic`. */
  let shortensAt: readonly number[] = []

  /**
   * Runs the due work now, or once more after the run in progress, and then sets a timer for the
   * next run. Resolves when the run has ended. Does nothing while a reset holds the loop.
   */
  function start(): Promise<void> {
    clearTimeout(timer)
    isRunWanted = true
    if (isHeld) return Promise.resolve()

    running ??= runThenPlan()
    return running
  }

  /** Runs the due work, and sets the timer for the next run. Never rejects. */
  async function runThenPlan(): Promise<void> {
    const waitMs = await runDueWork()
    running = undefined
    if (isClosed || isHeld) return
    // At once, if somebody woke the loop after the last batch had begun.
    timer = setTimeout(start, isRunWanted ? 0 : waitMs).unref()
  }

  /**
   * Runs the due work. Resolves with the milliseconds to wait before the next run; it never
   * rejects.
   */
  async function runDueWork(): Promise<number> {
    try {
      await runBatches()
      return await msUntilNext()
    } catch (error) {
      onError(error)
      return pauseMs
    }
  }

  /**
   * Lets the duty do its due work, batch after batch, until nothing more is due. A duty is a kind
   * of background work, such as delivering events. Ends early if the loop is closed, or held by a
   * reset, and after `MAX_BATCHES`: the next run does the rest.
   */
  async function runBatches(): Promise<void> {
    for (let i = 0; i < MAX_BATCHES; i++) {
      if (isClosed || isHeld) return
      // Whoever wakes the loop from here on may have added work that this batch does not see.
      isRunWanted = false
      await followClock()
      const count = await duty.run(launch)
      if (count === 0 && !isRunWanted) return
    }
  }

  /**
   * Notices that the clock went back since the last batch, which no timer does. Then the duty
   * shortens its waits, at once and several times in the half minute after that. A duty is a kind of
   * background work, such as delivering events.
   */
  async function followClock(): Promise<void> {
    const now = clock.now()
    const wentBack = now < latest
    if (wentBack) {
      await duty.onClockSetBack?.()
      shortensAt = SHORTEN_AGAIN_MS.map((ms) => monotonic() + ms)
    }
    latest = now
    await shortenAgain()
  }

  /** Lets the duty shorten its waits if a time of `shortensAt` has come, and removes that time. */
  async function shortenAgain(): Promise<void> {
    const timesToCome = shortensAt.filter((ms) => ms > monotonic())
    const hasOneCome = timesToCome.length < shortensAt.length
    if (!hasOneCome) return

    await duty.onClockSetBack?.()
    shortensAt = timesToCome
  }

  /** Registers work that continues after its batch; the loop looks for more when it ends. */
  function launch(work: Promise<void>): void {
    const ended = work.catch(onError).then(() => {
      continuedWork.delete(ended)
      if (!isClosed) start()
    })
    continuedWork.add(ended)
  }

  /** Resolves when no work is in progress. */
  async function waitForWork(limit?: AbortSignal): Promise<void> {
    while (isBusy() && !limit?.aborted) {
      await (running ?? Promise.race(continuedWork))
    }
  }

  /** Whether work is in progress. */
  function isBusy(): boolean {
    return running !== undefined || continuedWork.size > 0
  }

  /** Whether a batch is wanted that has not begun: it was asked for after the last had ended. */
  function isRunPending(): boolean {
    return isRunWanted && !isClosed && !isHeld
  }

  /** Milliseconds until the next item is due; at most those between two polls. */
  async function msUntilNext(): Promise<number> {
    // The time of a frozen clock does not come by itself.
    if (clock.isFrozen || isClosed) return pollMs
    const next = await duty.next()
    if (next === undefined) return pollMs

    const waitMs = next - clock.now()
    // What is still due after a run was claimed by another instance, which may fail.
    const isOverdue = waitMs <= 0
    return isOverdue ? ELSEWHERE_MS : Math.min(waitMs, pollMs)
  }

  return {
    get isRunning() {
      return isBusy() || isRunPending()
    },
    /** Looks for work soon. */
    wake(): void {
      if (!isClosed) start()
    },
    /**
     * Resolves when nothing is due and nothing is in progress, or the due work failed. Starts
     * nothing more once the signal aborts.
     */
    async idle(limit?: AbortSignal): Promise<void> {
      await waitForWork(limit)
      if (isClosed || limit?.aborted) return

      // A run of its own, which sees all that is due now. Once more if somebody woke the loop during
      // its last batch.
      do {
        await start()
      } while (isRunPending() && !limit?.aborted)
      // The work that these runs have launched.
      await waitForWork(limit)
    },
    /** Pauses the loop until `release`. Resolves when no batch is running. */
    async hold(): Promise<void> {
      isHeld = true
      clearTimeout(timer)
      await running
    },
    release(): void {
      isHeld = false
      if (!isClosed) start()
    },
    waitForWork,
    /** Finishes the work in progress, and starts no more. */
    async close(): Promise<void> {
      isClosed = true
      clearTimeout(timer)
      await waitForWork()
    },
  }
}
