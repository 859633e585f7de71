import { type Clock, LAST_MOMENT } from '../clock.ts'
import { createLoop, type Duty, type LoopOptions } from './loop.ts'

/** What works in the background of a sandbox: it settles, and it delivers. */
export interface Worker {
  /** Looks for work soon. */
  poke(): void
  /** Resolves when nothing is due. */
  idle(): Promise<void>
  /**
   * Moves the clock on to a time in milliseconds since 1970, stopping wherever something becomes due, so that each comes
   * at its own time. Once `limit` aborts it stops no more and waits for nothing: deliveries under way go on in the
   * background, and what was still due on the way is done at the new time.
   */
  moveTo(ms: number, limit?: AbortSignal): Promise<void>
  /** Does `work` while nothing else is done: starts nothing, and abandons what is still under way when `grace` aborts. */
  alone<T>(work: () => Promise<T>, grace: AbortSignal): Promise<T>
  /** Finishes what is under way, and starts nothing more. */
  close(): Promise<void>
}

interface WorkerOptions extends LoopOptions {
  /** What one does may be work for those after it. */
  readonly duties: readonly Duty[]
}

/** Stops of a moving clock at most. */
const STOPS = 10_000
const NEVER = new AbortController().signal

/** Does the work of a sandbox in the background: each duty by itself, since a slow receiver must not hold up money. */
export function createWorker({ duties, ...options }: WorkerOptions): Worker {
  const loops = duties.map((duty, i) =>
    createLoop({ ...duty, run: (launch) => told(i, duty.run(launch)) }, options),
  )
  const poke = () => {
    for (const loop of loops) loop.poke()
  }

  /** What one duty did may be work for those after it: a settlement has an event to deliver. */
  async function told(i: number, run: Promise<number>): Promise<number> {
    const count = await run
    if (count > 0) for (const loop of loops.slice(i + 1)) loop.poke()
    return count
  }

  async function idle(limit?: AbortSignal): Promise<void> {
    do await Promise.all(loops.map((loop) => loop.idle(limit)))
    while (!limit?.aborted && loops.some(({ isRunning }) => isRunning))
  }

  const landed = () => Promise.all(loops.map((loop) => loop.landed()))

  return {
    poke,
    idle: () => idle(),
    async moveTo(ms, limit = NEVER) {
      const over = aborted(limit)
      const idleOrOver = () => Promise.race([idle(limit), over])
      await idleOrOver()
      await stopAtEach(options.clock, duties, { to: Math.min(ms, LAST_MOMENT), idle: idleOrOver, limit })
      options.clock.moveTo(ms)
      await idleOrOver()
    },
    async alone(work, grace) {
      try {
        await Promise.all(loops.map((loop) => loop.hold()))
        await Promise.race([landed(), aborted(grace)])
        for (const { abandon } of duties) abandon?.()
        await landed()
        return await work()
      } finally {
        for (const loop of loops) loop.release()
      }
    },
    close: async () => void (await Promise.all(loops.map((loop) => loop.close()))),
  }
}

interface Way {
  readonly to: number
  readonly idle: () => Promise<void>
  readonly limit: AbortSignal
}

async function stopAtEach(clock: Clock, duties: readonly Duty[], { to, idle, limit }: Way): Promise<void> {
  let last: number | undefined
  for (let i = 0; i < STOPS && !limit.aborted; i++) {
    const next = await nextOf(duties)
    // What is still due after its stop has failed, or another instance is at it.
    if (next === undefined || next > to || next === last) return
    clock.moveTo(next)
    await idle()
    last = next
  }
}

async function nextOf(duties: readonly Duty[]): Promise<number | undefined> {
  const times = await Promise.all(duties.map((duty) => duty.next()))
  const known = times.filter((time) => time !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}

/** Resolves when a signal aborts. */
function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal.aborted) resolve()
  else if (signal !== NEVER) signal.addEventListener('abort', () => resolve(), { once: true })
  return promise
}
