import { fieldsOf, parsedJson } from '../contract/json.ts'
import type { History } from '../history.ts'
import type { Transport } from './transport.ts'

/** The clock of a sandbox, which a plan may move. */
export interface ServiceClock {
  /** Milliseconds since 1970, by the clock of the service. That of this machine, if the service reports none. */
  now(): number
  /** The date in Brazil, some days from now: 2026-11-21. */
  day(days?: number): string
  /** Whether it can be moved. */
  readonly isControlled: boolean
  /** Reads the clock of the service, which an earlier run may have moved. */
  look(): Promise<void>
  /** Moves the clock forward, by 400 days at most. Returns whether it was moved. */
  advance(seconds: number): Promise<boolean>
  /** Moves the clock back to the system time, if this run has moved it. Never rejects. */
  restore(): Promise<void>
}

interface ClockOptions {
  readonly transport: Transport
  readonly history: History
  readonly signal: AbortSignal
}

const PATH = '/_sandbox/clock'
const DAY = 86_400
const MOST = 400 * DAY
const UTC_OFFSET_MS = 3 * 3_600_000

export function createServiceClock({ transport, history, signal }: ClockOptions): ServiceClock {
  let ahead = 0
  let isControlled = false
  let isMoved = false
  const now = () => Date.now() + ahead

  /** Sends a change, or looks. Adds what the clock shows to the history. */
  async function sent(method: 'GET' | 'POST', change?: object, until = signal): Promise<boolean> {
    const body = change && JSON.stringify(change)
    const headers = { 'content-type': 'application/json' }
    const response = await transport({ method, path: PATH, headers, ...(body && { body }) }, until).catch(
      () => undefined,
    )
    const shown =
      response?.status === 200 ? Date.parse(String(fieldsOf(parsedJson(response.text)).now)) : Number.NaN
    if (Number.isNaN(shown)) return false
    ahead = shown - Date.now()
    history.add({ type: 'clock', completeAt: performance.timeOrigin + performance.now(), now: shown })
    return true
  }

  return {
    now,
    day: (days = 0) => new Date(now() - UTC_OFFSET_MS + days * DAY * 1000).toISOString().slice(0, 10),
    get isControlled() {
      return isControlled
    },
    async look() {
      isControlled = await sent('GET')
    },
    async advance(seconds) {
      if (!isControlled || seconds > MOST) return false
      // One day at a time, since the sandbox processes everything that becomes due.
      for (let left = seconds; left > 0; left -= DAY) {
        if (signal.aborted) return false
        isMoved = true
        if (!(await sent('POST', { advance_seconds: Math.min(left, DAY) }))) return false
      }
      return true
    },
    async restore() {
      if (isMoved) await sent('POST', { reset: true }, AbortSignal.timeout(10_000))
    },
  }
}
