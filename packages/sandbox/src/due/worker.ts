import { LAST_MOMENT } from '../clock.ts'
import { createLoop, type Duty, type LoopOptions } from './loop.ts'

/** The background work of a sandbox: settling and delivering. */
export type Worker = ReturnType<typeof createWorker>

/** Maximum number of stops while the clock moves. */
const MAX_STOPS = 10_000
/** A signal that never aborts. */
const NEVER = new AbortController().signal

/**
 * Runs the background work of a sandbox. Each duty has its own loop, so a slow receiver does not
 * delay settlements. A duty may create work for those after it.
 */
export function createWorker({
  duties,
  ...options
}: LoopOptions & { readonly duties: readonly Duty[] }) {
  const loops = duties.map((duty, i) => {
    const run: Duty['run'] = async (launch) => {
      const count = await duty.run(launch)
      if (count > 0) wakeLaterDuties(i)
      return count
    }
    return createLoop({ ...duty, run }, options)
  })

  /** Wakes the later duties after work was done: a settlement creates an event to deliver. */
  function wakeLaterDuties(i: number): void {
    for (const loop of loops.slice(i + 1)) loop.wake()
  }

  function wake(): void {
    for (const loop of loops) loop.wake()
  }

  /** Resolves when nothing is due. A loop that was idle may have work again from another one. */
  async function idle(limit?: AbortSignal): Promise<void> {
    const isAnyRunning = () => loops.some(({ isRunning }) => isRunning)
    do {
      await Promise.all(loops.map((loop) => loop.idle(limit)))
    } while (isAnyRunning() && !limit?.aborted)
  }

  /**
   * Moves the clock forward to each time at which something becomes due, up to the time `to`, so
   * that everything happens at its own time.
   *
   * @param settleDown waits at each stop until the due work is done
   */
  async function moveInStops(
    to: number,
    settleDown: () => Promise<void>,
    limit: AbortSignal,
  ): Promise<void> {
    let lastStop: number | undefined
    for (let i = 0; i < MAX_STOPS && !limit.aborted; i++) {
      const next = await findNextTime(duties)
      if (next === undefined || next > to) return
      // If this time did not change, the work failed or another instance is doing it.
      if (next === lastStop) return

      options.clock.moveTo(next)
      await settleDown()
      lastStop = next
    }
  }

  /** Resolves when no work is in progress. */
  async function waitForWork(): Promise<void> {
    await Promise.all(loops.map((loop) => loop.waitForWork()))
  }

  return {
    /** Looks for work soon. */
    wake,
    /** Resolves when nothing is due. */
    idle: () => idle(),
    /**
     * Moves the clock forward to a time in milliseconds since 1970. It stops whenever something
     * becomes due, so that everything happens at its own time. Once `limit` aborts, it waits no
     * longer: deliveries in progress continue in the background, and everything still due is done
     * at the new time.
     */
    async moveTo(ms: number, limit: AbortSignal = NEVER): Promise<void> {
      const over = aborted(limit)
      /** Resolves when nothing is due, or once `limit` aborts. */
      const idleOrGiveUp = () => Promise.race([idle(limit), over])
      await idleOrGiveUp()
      await moveInStops(Math.min(ms, LAST_MOMENT), idleOrGiveUp, limit)
      options.clock.moveTo(ms)
      await idleOrGiveUp()
    },
    /**
     * Runs `work` while no background work runs. It starts nothing else, waits for what is in
     * progress, and abandons that when `grace` aborts.
     */
    async alone<T>(work: () => Promise<T>, grace: AbortSignal): Promise<T> {
      try {
        await Promise.all(loops.map((loop) => loop.hold()))
        await Promise.race([waitForWork(), aborted(grace)])
        // Those still in progress end soon after this.
        for (const { abandon } of duties) abandon?.()
        await waitForWork()
        return await work()
      } finally {
        for (const loop of loops) loop.release()
      }
    },
    /** Finishes the work in progress, and starts no more. */
    async close(): Promise<void> {
      await Promise.all(loops.map((loop) => loop.close()))
    },
  }
}

/** When the next item of any duty is due; undefined if there is none. */
async function findNextTime(duties: readonly Duty[]): Promise<number | undefined> {
  const nexts = await Promise.all(duties.map((duty) => duty.next()))
  const times = nexts.filter((time) => time !== undefined)
  return times.length === 0 ? undefined : Math.min(...times)
}

/** Resolves when the signal aborts. Adds no listener to {@link NEVER}, which would keep them all. */
function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal === NEVER) return promise
  if (signal.aborted) resolve()
  else signal.addEventListener('abort', () => resolve(), { once: true })
  return promise
}
