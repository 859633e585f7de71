import { fieldsOf, type Json, listItems, parsedJson, stringAt } from '../contract/json.ts'
import { type History, now, type SentRequest, type ShownBalances } from '../history.ts'
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

interface ClockOptions extends ControlOptions {
  /** Called once it shows that somebody else has moved the clock during the run. */
  readonly onMovedElsewhere: () => void
}

export interface ControlOptions {
  readonly transport: Transport
  readonly history: History
  readonly signal: AbortSignal
}

const DAY_SECONDS = 86_400
const MAX_MOVE_SECONDS = 400 * DAY_SECONDS
/** By how much the time of a sandbox may differ from what the run expects: requests take time. */
const TOLERANCE_MS = 30_000

/**
 * Creates the clock of a service: that of a sandbox, which its control API shows and moves, or else that of this
 * machine, which cannot be moved.
 */
export function createServiceClock({
  transport,
  history,
  signal,
  onMovedElsewhere,
}: ClockOptions): ServiceClock {
  /** How far the clock of the service is ahead of that of this machine. */
  let aheadMs = 0
  /** Whether that is certain: the service has shown it, and no response to a move was lost since. */
  let isAheadCertain = false
  /** Whether the control API of a sandbox has shown its clock. */
  let isControlled = false
  /** Whether the run may have moved it, so that it must be set back. */
  let isMoved = false
  const serviceNow = () => Date.now() + aheadMs

  /**
   * Moves the clock of a sandbox by `change`, or only reads it, and adds the time that it shows to the
   * history. Returns false if the service has no such clock.
   */
  async function ask(change?: Change, until = signal): Promise<boolean> {
    const wasAheadCertain = isAheadCertain
    isAheadCertain = false
    const fields = await requestControl(transport, until, '/_sandbox/clock', change)
    const shownTime = Date.parse(String(fields.now))
    if (Number.isNaN(shownTime)) return false

    const { advance_seconds = 0, reset = false } = change ?? {}
    const expectedAheadMs = aheadMs + advance_seconds * 1_000
    aheadMs = shownTime - Date.now()
    isAheadCertain = true
    history.add({ type: 'clock', completeAt: now(), now: shownTime })

    // A frozen clock falls behind.
    const isComparable = wasAheadCertain && !reset && fields.frozen !== true
    const differs = Math.abs(aheadMs - expectedAheadMs) > TOLERANCE_MS
    if (isComparable && differs) onMovedElsewhere()
    return true
  }

  return {
    now: serviceNow,
    day: (days = 0) => addDays(dayAt(serviceNow()), days),
    get isControlled() {
      return isControlled
    },
    async look() {
      isControlled = await ask()
    },
    async advance(seconds) {
      if (!isControlled || seconds > MAX_MOVE_SECONDS) return false
      // One day at a time, since the sandbox processes everything that becomes due.
      let remainingSeconds = seconds
      while (remainingSeconds > 0) {
        if (signal.aborted) return false
        // Already before the request, whose response may be lost.
        isMoved = true
        const advance_seconds = Math.min(remainingSeconds, DAY_SECONDS)
        const hasMoved = await ask({ advance_seconds })
        if (!hasMoved) return false
        remainingSeconds -= advance_seconds
      }
      return true
    },
    async restore() {
      if (!isMoved) return
      // The signal of the run may be aborted by now.
      const until = AbortSignal.timeout(10_000)
      // Somebody else may have moved it since the last move of the run.
      await ask(undefined, until)
      await ask({ reset: true }, until)
    },
  }
}

/** What a request to the clock of a sandbox changes. */
interface Change {
  readonly advance_seconds?: number
  readonly reset?: true
}

/**
 * Looks at the balances of a sandbox, which no operation of the contract shows, and adds them to the
 * history. Undefined if it shows none.
 */
export async function lookAtBalances({
  transport,
  history,
  signal,
}: ControlOptions): Promise<ShownBalances | undefined> {
  const sentAt = now()
  const { accounts, transfers } = await requestControl(transport, signal, '/_sandbox/state')
  if (!Array.isArray(accounts)) return undefined

  const rejected = filterByStatus(transfers, 'rejected')
  const pending = filterByStatus(transfers, 'pending')
  const event: ShownBalances = {
    type: 'balances',
    sentAt,
    completeAt: now(),
    accounts: readBalances(accounts),
    rejected: rejected.flatMap((transfer) => stringAt(transfer, '/id') ?? []),
    isPending: pending.length > 0,
  }
  history.add(event)
  return event
}

function filterByStatus(transfers: unknown, status: string): readonly unknown[] {
  return listItems(transfers).filter((transfer) => stringAt(transfer, '/status') === status)
}

/** Reads the balances of accounts, by the ids of the accounts: `{ acc_1: '10.00' }`. */
function readBalances(accounts: readonly unknown[]): Record<string, string> {
  const balances: Record<string, string> = {}
  for (const account of accounts) {
    const id = stringAt(account, '/id')
    const balance = stringAt(account, '/balance')
    if (id !== undefined && balance !== undefined) balances[id] = balance
  }
  return balances
}

/**
 * Requests the fields that the control API of a sandbox returns; none if there is no such API.
 *
 * @param change The body of a POST. Default: a GET, which changes nothing.
 */
async function requestControl(
  transport: Transport,
  signal: AbortSignal,
  path: string,
  change?: object,
): Promise<Json> {
  const response = await transport(buildControlRequest(path, change), signal).catch(() => undefined)
  if (response?.status !== 200) return {}
  return fieldsOf(parsedJson(response.text))
}

/** Builds a request to the control API of a sandbox: a POST with a change, or a GET without one. */
function buildControlRequest(path: string, change: object | undefined): SentRequest {
  if (!change) return { method: 'GET', path, headers: {} }
  return {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(change),
  }
}
