import type { Clock } from '../clock.ts'

/** Work that becomes due: settlements, deliveries. */
export interface Duty {
  /** Does what is due, up to a batch, or begins it; answers how much that was, or 0 where no more is due. */
  run(launch: Launch): Promise<number>
  /** When the next is due, in milliseconds since 1970; undefined where nothing is. */
  next(): Promise<number | undefined>
  /** Shortens waits that are too long since the clock went back. Called before the first look too. */
  rewind?(): Promise<void>
  /** Ends what goes on for itself, soon. */
  abandon?(): void
}

/** Hands a loop what goes on for itself. When it ends, the loop looks again; it is not idle before. */
export type Launch = (flight: Promise<void>) => void

export interface LoopOptions {
  readonly clock: Clock
  /** Told of what goes wrong; the work is tried again. */
  readonly onError?: (error: unknown) => void
  /** Milliseconds between looks, for work that another instance has left behind; 1,000 by default. */
  readonly pollMs?: number
  /** Milliseconds to wait after a failure; 1,000 by default. */
  readonly pauseMs?: number
}

/** Does one duty, whenever something is due. */
export interface Loop {
  readonly isRunning: boolean
  /** Looks for work soon. */
  poke(): void
  /** Resolves when nothing is due, or what is due failed; looks no further once a signal aborts. */
  idle(limit?: AbortSignal): Promise<void>
  /** Starts nothing more for now; resolves when it does not. */
  hold(): Promise<void>
  /** Goes on after {@link Loop.hold}. */
  release(): void
  /** Resolves when nothing is under way. */
  landed(): Promise<void>
  /** Finishes what is under way, and starts nothing more. */
  close(): Promise<void>
}

/** Batches in one go; more than that is left for the next. */
const ROUNDS = 10_000
/** Milliseconds to leave to another instance what it has taken, and not finished yet. */
const ELSEWHERE = 50

export function createLoop(duty: Duty, options: LoopOptions): Loop {
  const { clock, onError = () => {}, pollMs = 1_000, pauseMs = 1_000 } = options
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  const flights = new Set<Promise<void>>()
  let isWanted = false
  let isClosed = false
  let isHeld = false
  // What an earlier process wrote may lie ahead too.
  let latest = Number.POSITIVE_INFINITY

  function start(): Promise<void> {
    clearTimeout(timer)
    isWanted = true
    if (isHeld) return Promise.resolve()
    running ??= work().then((wait) => {
      running = undefined
      if (!isClosed && !isHeld) timer = setTimeout(start, isWanted ? 0 : wait).unref()
    })
    return running
  }

  /** Answers how many milliseconds to wait. */
  async function work(): Promise<number> {
    try {
      await rounds()
      return await untilNext()
    } catch (error) {
      onError(error)
      return pauseMs
    }
  }

  async function rounds(): Promise<void> {
    for (let i = 0; i < ROUNDS && !isClosed && !isHeld; i++) {
      isWanted = false
      await followClock()
      if ((await duty.run(launch)) === 0 && !isWanted) return
    }
  }

  /** Timers run on when the system's clock is set back, so at the latest the next look notices it. */
  async function followClock(): Promise<void> {
    const now = clock.now()
    if (now < latest) await duty.rewind?.()
    latest = now
  }

  function launch(flight: Promise<void>): void {
    const ended = flight.catch(onError).then(() => {
      flights.delete(ended)
      if (!isClosed) start()
    })
    flights.add(ended)
  }

  async function landed(limit?: AbortSignal): Promise<void> {
    while ((running || flights.size > 0) && !limit?.aborted) await (running ?? Promise.race(flights))
  }

  async function untilNext(): Promise<number> {
    const next = clock.isFrozen || isClosed ? undefined : await duty.next()
    if (next === undefined) return pollMs
    const wait = next - clock.now()
    return wait > 0 ? Math.min(wait, pollMs) : ELSEWHERE
  }

  return {
    get isRunning() {
      return running !== undefined || flights.size > 0
    },
    poke: () => void (isClosed || start()),
    async idle(limit) {
      await landed(limit)
      if (!isClosed && !limit?.aborted) await start()
      await landed(limit)
    },
    async hold() {
      isHeld = true
      clearTimeout(timer)
      await running
    },
    release() {
      isHeld = false
      if (!isClosed) start()
    },
    landed,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await landed()
    },
  }
}
