import { nodeOf } from '../model/document.ts'
import type { HttpResponse } from '../model/http.ts'
import { parsed } from '../model/http.ts'
import type { Target } from '../model/target.ts'
import type { Transport } from './transport.ts'

/** The clock of the service, as far as it is known: a sandbox tells its own, of others it is taken to be ours. */
export interface ServiceClock {
  /** Milliseconds since 1970. */
  now(): number
  /** The day in Brazil, some days from now: 2026-11-21. */
  day(days?: number): string
  /** Whether the service has the control of our sandbox, by which its clock is told and moved. */
  readonly isControlled: boolean
  /** Asks a sandbox for its clock, which an earlier run may have moved. */
  look(): Promise<void>
  /** Moves the clock of a sandbox on, by 400 days at most; whether that could be done. */
  move(seconds: number): Promise<boolean>
  /** Puts the clock of a sandbox that was moved here back to the system's time. Never rejects. */
  restore(): Promise<void>
}

const PATH = '/_sandbox/clock'
const DAY = 86_400
/** Brazil is three hours behind UTC. */
const UTC_OFFSET_MS = 3 * 3_600_000

/** The day in Brazil, some days from a time in milliseconds since 1970: 2026-11-21. */
export function dayAt(ms: number, days = 0): string {
  return new Date(ms - UTC_OFFSET_MS + days * DAY * 1000).toISOString().slice(0, 10)
}

/** Days that a clock is moved at most: what ends later is not waited for. */
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
    const told = response.status === 200 ? Date.parse(String(nodeOf(parsed(response)).now)) : Number.NaN
    if (Number.isNaN(told)) return false
    ahead = told - Date.now()
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
      isControlled = read(await transport.send({ method: 'GET', path: PATH, headers: {}, body: undefined }))
    },
    async move(seconds) {
      if (seconds > MAX_DAYS * DAY) return false
      // A day at a time, since what becomes due on the way takes its time.
      for (let left = seconds; isControlled && left > 0; left -= DAY) {
        if (signal?.aborted) return false
        isMoved = true
        if (!(await set({ advance_seconds: Math.min(left, DAY) }))) return false
      }
      return isControlled
    },
    async restore() {
      // A sandbox that does not respond any more has no clock to put back.
      if (isMoved) await set({ reset: true }).catch(() => false)
    },
  }
}
