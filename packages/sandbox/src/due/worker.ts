import type { Clock } from '../clock.ts'

/** Work that becomes due: settlements, deliveries. */
export interface Duty {
  /** Does what is due, up to a batch; answers how much that was. */
  run(): Promise<number>
  /** When the next is due, in milliseconds since 1970; undefined where nothing is. */
  next(): Promise<number | undefined>
}

export interface Worker {
  /** Looks for work soon. */
  poke(): void
  /** Resolves when nothing is due. */
  idle(): Promise<void>
  /** Moves the clock on, stopping wherever something becomes due, so that each comes at its own time. */
  moveTo(ms: number): Promise<void>
  /** Finishes what is under way, and starts nothing more. */
  close(): Promise<void>
}

interface WorkerOptions {
  readonly clock: Clock
  readonly duties: readonly Duty[]
  /** Told of what goes wrong; the work is tried again. */
  readonly onError?: (error: unknown) => void
  /** Milliseconds between looks, for work that another instance has left behind. */
  readonly pollMs?: number
}

/** Batches in one go, and stops of a moving clock; more than that is left for the next. */
const ROUNDS = 10_000
/** Milliseconds to wait after a failure. */
const PAUSE = 1_000

/** Does the work of a sandbox in the background, one round at a time. */
export function createWorker({ clock, duties, onError = () => {}, pollMs = 1_000 }: WorkerOptions): Worker {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isWanted = false
  let isClosed = false

  async function rounds(): Promise<void> {
    for (let i = 0; i < ROUNDS && !isClosed; i++) {
      isWanted = false
      const done = await Promise.all(duties.map((duty) => duty.run()))
      if (!isWanted && done.every((count) => count === 0)) return
    }
  }

  function start(): Promise<void> {
    clearTimeout(timer)
    isWanted = true
    running ??= rounds()
      .then(untilNext, (error: unknown) => {
        onError(error)
        return PAUSE
      })
      .then((wait) => {
        running = undefined
        if (!isClosed) timer = setTimeout(start, wait).unref()
      })
    return running
  }

  async function untilNext(): Promise<number> {
    if (isWanted) return 0
    const next = clock.isFrozen ? undefined : await nextOf(duties)
    return next === undefined ? pollMs : Math.min(Math.max(next - clock.now(), 0), pollMs)
  }

  async function idle(): Promise<void> {
    while (running) await running
    if (!isClosed) await start()
  }

  return {
    poke: () => void (isClosed || start()),
    idle,
    async moveTo(ms) {
      await idle()
      for (let i = 0; i < ROUNDS; i++) {
        const next = await nextOf(duties)
        if (next === undefined || next > ms) break
        clock.moveTo(next)
        await idle()
      }
      clock.moveTo(ms)
      await idle()
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await running
    },
  }
}

async function nextOf(duties: readonly Duty[]): Promise<number | undefined> {
  const times = await Promise.all(duties.map((duty) => duty.next()))
  const known = times.filter((time) => time !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}
