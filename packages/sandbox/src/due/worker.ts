import { type Clock, LAST_MOMENT } from '../clock.ts'
import { createLoop, type Duty, type LoopOptions } from './loop.ts'

/** What works in the background of a sandbox: it settles, and it delivers. */
export interface Worker {
  /** Looks for work soon. */
  poke(): void
  /** Resolves when nothing is due. */
  idle(): Promise<void>
  /** Moves the clock on to a time in milliseconds since 1970, stopping wherever something becomes due, so that each comes at its own time. */
  moveTo(ms: number): Promise<void>
  /** Finishes what is under way, and starts nothing more. */
  close(): Promise<void>
}

interface WorkerOptions extends LoopOptions {
  /** What one does may be work for those after it. */
  readonly duties: readonly Duty[]
}

/** Stops of a moving clock at most. */
const STOPS = 10_000

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

  async function idle(): Promise<void> {
    do await Promise.all(loops.map((loop) => loop.idle()))
    while (loops.some(({ isRunning }) => isRunning))
  }

  return {
    poke,
    idle,
    async moveTo(ms) {
      await idle()
      await stopAtEach(options.clock, duties, { to: Math.min(ms, LAST_MOMENT), idle })
      options.clock.moveTo(ms)
      await idle()
    },
    close: async () => void (await Promise.all(loops.map((loop) => loop.close()))),
  }
}

interface Way {
  readonly to: number
  readonly idle: () => Promise<void>
}

async function stopAtEach(clock: Clock, duties: readonly Duty[], { to, idle }: Way): Promise<void> {
  let last: number | undefined
  for (let i = 0; i < STOPS; i++) {
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
