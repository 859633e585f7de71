import { setTimeout as sleep } from 'node:timers/promises'
import { headerOf } from './exchange.ts'
import type { Reply, Wire } from './wire.ts'

/** Milliseconds to wait where a 429 does not say how long, and at most. One that asks for more is not waited for. */
const DEFAULT = 1_000
const MOST = 30_000
/** Milliseconds that a whole run waits in all. */
const BUDGET = 120_000

interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<unknown>
}

const CLOCK: Clock = {
  now: Date.now,
  // Who gives up waiting gets its answer from the exchange that follows, which the same signal ends.
  sleep: (ms, signal) => sleep(ms, undefined, signal ? { signal } : {}).catch(() => undefined),
}

/**
 * Waits as long as a 429 asks for, and asks once more (RFC 6585, section 4; RFC 9110, section 10.2.3). While one waits,
 * so do all: they share the limit.
 *
 * @example
 * const wire = createPatientWire(createWire(new URL('http://127.0.0.1:4020')))
 */
export function createPatientWire(wire: Wire, { now, sleep }: Clock = CLOCK): Wire {
  let until = 0
  let waited = 0

  /** Puts off what is sent from now on; false where that would take too long. */
  function putOff(ms: number): boolean {
    const begin = Math.max(now(), until)
    const more = Math.max(0, now() + ms - begin)
    if (ms > MOST || waited + more > BUDGET) return false
    waited += more
    until = begin + more
    return true
  }

  async function turn(signal: AbortSignal | undefined): Promise<void> {
    const ms = until - now()
    if (ms > 0) await sleep(ms, signal)
  }

  return {
    async send(call, signal) {
      await turn(signal)
      const reply = await wire.send(call, signal)
      if (reply.status !== 429 || !putOff(askedFor(reply, now()))) return reply
      await turn(signal)
      return wire.send(call, signal)
    },
    close: () => wire.close(),
  }
}

/** Milliseconds: `Retry-After` is a number of seconds, or a date. */
function askedFor({ headers }: Reply, now: number): number {
  const text = headerOf(headers, 'retry-after') ?? ''
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now
  return Number.isNaN(ms) ? DEFAULT : Math.max(0, ms)
}
