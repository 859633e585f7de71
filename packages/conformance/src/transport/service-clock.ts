import { nodeOf } from '../model/document.ts'
import { type HttpResponse, parsed } from '../model/http.ts'
import type { Target } from '../model/target.ts'
import type { Transport } from './transport.ts'

/** The clock of the service. A sandbox reports it; for other services, the local clock is used. */
export interface ServiceClock {
  /** Milliseconds since 1970. */
  now(): number
  /** The date in Brazil, some days from now: 2026-11-21. */
  day(days?: number): string
  /** Whether the service has the control API of the sandbox. */
  readonly isControlled: boolean
  /** Reads the clock of a sandbox, which an earlier run may have moved. */
  look(): Promise<void>
  /** Advances the clock of a sandbox, by 400 days at most. Returns whether it succeeded. */
  move(seconds: number): Promise<boolean>
  /** Resets the clock to the system time if this run moved it. Never rejects. */
  restore(): Promise<void>
}

const PATH = '/_sandbox/clock'
const DAY = 86_400
const UTC_OFFSET_MS = 3 * 3_600_000

/** The date in Brazil, some days after a time in milliseconds since 1970. */
export function dayAt(ms: number, days = 0): string {
  return new Date(ms - UTC_OFFSET_MS + days * DAY * 1000).toISOString().slice(0, 10)
}

const MAX_DAYS = 400

export function createServiceClock(
  transport: Pick<Transport, 'send'>,
  target: Target,
  signal?: AbortSignal,
): ServiceClock {
  let ahead = 0
  let isControlled = false
  let isMoved = false
  const now = () => Date.now() + ahead

  function read(response: HttpResponse): boolean {
    const reported = response.status === 200 ? Date.parse(String(nodeOf(parsed(response)).now)) : Number.NaN
    if (Number.isNaN(reported)) return false
    ahead = reported - Date.now()
    return true
  }

  async function set(change: object): Promise<boolean> {
    const headers = { 'content-type': 'application/json' }
    return read(await transport.send({ method: 'POST', path: PATH, headers, body: JSON.stringify(change) }))
  }

  return {
    now,
    day: (days) => dayAt(now(), days),
    get isControlled() {
      return isControlled
    },
    async look() {
      if (target !== 'sandbox') return
      const request = { method: 'GET', path: PATH, headers: {}, body: undefined }
      isControlled = read(await transport.send(request, signal))
    },
    async move(seconds) {
      if (seconds > MAX_DAYS * DAY) return false
      // One day at a time, because the sandbox processes everything that becomes due.
      for (let left = seconds; isControlled && left > 0; left -= DAY) {
        if (signal?.aborted) return false
        isMoved = true
        if (!(await set({ advance_seconds: Math.min(left, DAY) }))) return false
      }
      return isControlled
    },
    async restore() {
      // A sandbox that does not respond has no clock to reset.
      if (isMoved) await set({ reset: true }).catch(() => false)
    },
  }
}
