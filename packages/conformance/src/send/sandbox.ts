import { fieldsOf, parsedJson, stringAt } from '../contract/json.ts'
import { type History, now, type ShownBalances } from '../history.ts'
import { addDays, dayAt } from '../model/amounts.ts'
import type { Transport } from './transport.ts'

/** The clock of a sandbox, which a plan may move. */
export interface ServiceClock {
  /**
   * Milliseconds since 1970, by the clock of the service. That of this machine, if the service
   * reports none.
   */
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

export interface ControlOptions {
  readonly transport: Transport
  readonly history: History
  readonly signal: AbortSignal
}

const DAY = 86_400
const MOST = 400 * DAY

export function createServiceClock({ transport, history, signal }: ControlOptions): ServiceClock {
  let ahead = 0
  let isControlled = false
  let isMoved = false
  const serviceNow = () => Date.now() + ahead

  /** Sends a change, or looks. Adds what the clock shows to the history. */
  async function sent(change?: object, until = signal): Promise<boolean> {
    const shown = Date.parse(String((await ask(transport, until, '/_sandbox/clock', change)).now))
    if (Number.isNaN(shown)) return false
    ahead = shown - Date.now()
    history.add({ type: 'clock', completeAt: now(), now: shown })
    return true
  }

  return {
    now: serviceNow,
    day: (days = 0) => addDays(dayAt(serviceNow()), days),
    get isControlled() {
      return isControlled
    },
    async look() {
      isControlled = await sent()
    },
    async advance(seconds) {
      if (!isControlled || seconds > MOST) return false
      // One day at a time, since the sandbox processes everything that becomes due.
      for (let left = seconds; left > 0; left -= DAY) {
        if (signal.aborted) return false
        isMoved = true
        if (!(await sent({ advance_seconds: Math.min(left, DAY) }))) return false
      }
      return true
    },
    async restore() {
      if (isMoved) await sent({ reset: true }, AbortSignal.timeout(10_000))
    },
  }
}

/**
 * Looks at the balances of a sandbox, which no operation of the contract shows; undefined if it
 * shows none.
 */
export async function lookAtBalances({
  transport,
  history,
  signal,
}: ControlOptions): Promise<ShownBalances | undefined> {
  const sentAt = now()
  const { accounts, transfers } = await ask(transport, signal, '/_sandbox/state')
  if (!Array.isArray(accounts)) return undefined
  const known = accounts.flatMap((it) => {
    const [id, balance] = ['/id', '/balance'].map((pointer) => stringAt(it, pointer))
    return id !== undefined && balance !== undefined ? [[id, balance]] : []
  })
  const last = Array.isArray(transfers) ? transfers : []
  const having = (status: string) => last.filter((it) => stringAt(it, '/status') === status)
  const rejected = having('rejected').flatMap((it) => stringAt(it, '/id') ?? [])
  const shown = {
    accounts: Object.fromEntries(known),
    rejected,
    isPending: having('pending').length > 0,
  }
  const event = { type: 'balances', sentAt, completeAt: now(), ...shown } as const
  history.add(event)
  return event
}

/** The fields that the control API of a sandbox returns; none if there is no such API. */
async function ask(transport: Transport, signal: AbortSignal, path: string, change?: object) {
  const request = change
    ? {
        method: 'POST',
        path,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(change),
      }
    : { method: 'GET', path, headers: {} }
  const response = await transport(request, signal).catch(() => undefined)
  return fieldsOf(response?.status === 200 ? parsedJson(response.text) : undefined)
}
