import { afterEach, describe, expect, test, vi } from 'vitest'
import { createClock } from '../src/clock.ts'
import type { Duty, Launch } from '../src/due/loop.ts'
import { createWorker, type Worker } from '../src/due/worker.ts'

const START = Date.parse('2026-11-20T12:00:00Z')
const clock = createClock(() => START)

let worker: Worker | undefined
afterEach(() => {
  vi.useRealTimers()
  return worker?.close()
})

/** A duty that is due at given times, and records when it ran. */
function duties(...left: number[]) {
  const done: number[] = []
  const duty: Duty = {
    async run() {
      if (left[0] === undefined || left[0] > clock.now()) return 0

      left.shift()
      done.push(clock.now())
      return 1
    },
    next: async () => left[0],
  }
  return { duty, done, left }
}

describe('a worker', () => {
  test('reports an error, and tries again', async () => {
    const errors: unknown[] = []
    const error = new Error('the database is gone')
    const { duty, done } = duties(0)
    const failing: Duty = {
      next: duty.next,
      run: (launch) => (errors.length === 0 ? Promise.reject(error) : duty.run(launch)),
    }

    worker = createWorker({
      clock,
      duties: [failing],
      onError: (error) => errors.push(error),
      pauseMs: 10,
    })
    worker.wake()
    await expect.poll(() => done).toHaveLength(1)
    expect(errors).toEqual([error])
  })

  test('shortens waits again after the clock went back, since a late commit keeps its old time', async () => {
    let systemMs = START
    let monotonicMs = 0
    let shortenings = 0
    const duty: Duty = {
      run: async () => 0,
      next: async () => undefined,
      onClockSetBack: async () => {
        shortenings++
      },
    }
    worker = createWorker({
      clock: createClock(() => systemMs),
      duties: [duty],
      monotonic: () => monotonicMs,
    })
    const countShorteningsAfter = async (ms: number) => {
      monotonicMs += ms
      shortenings = 0
      await worker?.idle()
      return shortenings
    }

    // The first look shortens what an earlier process stored.
    expect(await countShorteningsAfter(0)).toBe(1)
    expect(await countShorteningsAfter(40_000)).toBe(1)
    expect(await countShorteningsAfter(40_000)).toBe(0)

    systemMs -= 3_600_000
    expect(await countShorteningsAfter(0)).toBe(1)
    expect(await countShorteningsAfter(999)).toBe(0)
    for (const ms of [1, 1_000, 2_000, 4_000, 8_000, 16_000])
      expect(await countShorteningsAfter(ms)).toBe(1)
    expect(await countShorteningsAfter(3_600_000)).toBe(0)
  })

  test.each(['run', 'next'] as const)(
    'is idle only after work that came during its %s',
    async (look) => {
      const { duty, done, left } = duties()
      const wake = () => {
        // Once, since each look would ask for another one.
        if (done.length > 0 || left.length > 0) return

        left.push(START)
        worker?.wake()
      }

      const run: Duty['run'] = async (launch) => {
        const count = await duty.run(launch)
        if (look === 'run') wake()
        return count
      }

      const next = async () => {
        if (look === 'next') wake()
        return undefined
      }

      worker = createWorker({ clock, duties: [{ run, next }] })
      await worker.idle()
      expect(done).toEqual([START])
    },
  )

  test('looks every 50 ms while what is due is at another instance', async () => {
    vi.useFakeTimers()
    const run = vi.fn(async () => 0)
    worker = createWorker({ clock, duties: [{ run, next: async () => 0 }] })
    worker.wake()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(run).toHaveBeenCalledTimes(21)
  })

  describe('with work that continues after its batch', () => {
    /** A duty that launches such work, which the test ends. */
    function createContinuedWork() {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      promise.catch(() => {})
      let runs = 0

      const run = async (launch: Launch) => {
        runs += 1
        if (runs > 1) return 0

        launch(promise)
        return 1
      }

      return {
        duty: { run, next: async () => undefined },
        runs: () => runs,
        resolve,
        reject,
      }
    }

    test.each(['idle', 'close'] as const)('waits for it to %s', async (how) => {
      const { duty, runs, resolve } = createContinuedWork()
      worker = createWorker({ clock, duties: [duty] })
      worker.wake()
      await expect.poll(() => runs()).toBeGreaterThan(0)

      const over = worker[how]().then(() => 'over')
      const later = new Promise((resolve) => setImmediate(resolve, 'not yet'))
      expect(await Promise.race([over, later])).toBe('not yet')

      resolve()
      await over
    })

    test('continues after exclusive work failed', async () => {
      const { duty, runs, resolve } = createContinuedWork()
      resolve()
      worker = createWorker({ clock, duties: [duty], pollMs: 1_000_000 })
      const failing = worker.alone(() => Promise.reject(new Error('no')), AbortSignal.abort())
      await expect(failing).rejects.toThrow('no')
      await expect.poll(() => runs()).toBeGreaterThan(0)
    })

    test('reports its failure, and looks again', async () => {
      const errors: unknown[] = []
      const { duty, runs, reject } = createContinuedWork()
      const onError = (error: unknown) => errors.push(error)
      worker = createWorker({ clock, duties: [duty], onError, pollMs: 1_000_000 })
      worker.wake()
      await expect.poll(() => runs()).toBe(2)

      const error = new Error('the database is gone')
      reject(error)
      await expect.poll(() => runs()).toBe(3)
      expect(errors).toEqual([error])

      await worker.idle()
    })
  })
})
