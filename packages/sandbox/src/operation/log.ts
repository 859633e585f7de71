import { visible } from '@partner-payments/contract'
import type { Attempted } from '../deliveries/deliver.ts'
import type { HandledRequest } from '../service/service.ts'
import { StoreUnavailable } from '../store/store.ts'

/** Callbacks for what happens in the sandbox. */
export interface Observers {
  readonly handled?: (handled: HandledRequest) => void
  readonly attempted?: (attempted: Attempted) => void
  /** How many transfers were settled or rejected. */
  readonly settled?: (count: number) => void
  /** Background work that failed, and is tried again. */
  readonly failed?: (error: unknown) => void
}

/**
 * Creates the log of a sandbox: callbacks that write a line of JSON for each event, without
 * headers, bodies, keys or queries.
 *
 * @param write receives a line with its line feed
 * @param now the time in milliseconds since 1970; default `Date.now`
 */
export function createLog(
  write: (line: string) => unknown,
  now: () => number = Date.now,
): Observers {
  const log = (level: 'info' | 'warn' | 'error', message: string, fields: object) => {
    const time = new Date(now()).toISOString()
    write(`${visible(JSON.stringify({ time, level, message, ...fields }))}\n`)
  }
  return {
    /** Logs a request with its response, as an error if the service failed. */
    handled(handled) {
      const { status, error } = handled
      const fields = {
        request_id: handled.request_id,
        operation: handled.operation,
        method: handled.method,
        status,
        duration_ms: Math.round(handled.duration_ms * 1000) / 1000,
        partner_id: handled.partner_id,
        reason: error === undefined ? undefined : nameError(error),
      }
      log(status < 500 ? 'info' : 'error', 'request', fields)
    },
    /** Logs an attempt to deliver an event to a webhook. `isDead`: it was the last, and failed. */
    attempted({ event_id, webhook_id, attempt, outcome, isDead }) {
      const { status, durationMs: duration_ms } = outcome
      const fields = { event_id, webhook_id, attempt, status, duration_ms }
      if (outcome.ok) return log('info', 'delivered', fields)

      const message = isDead ? 'not delivered, no attempts left' : 'not delivered'
      log('warn', message, { ...fields, reason: outcome.reason })
    },
    failed: (error) =>
      log('error', 'background work failed and will be retried', { reason: nameError(error) }),
  }
}

/** Joins several sets of callbacks to one set that calls all of them. */
export function notifyAll(observerSets: readonly Observers[]): Required<Observers> {
  return {
    handled(handled) {
      for (const observers of observerSets) observers.handled?.(handled)
    },
    attempted(attempted) {
      for (const observers of observerSets) observers.attempted?.(attempted)
    },
    settled(count) {
      for (const observers of observerSets) observers.settled?.(count)
    },
    failed(error) {
      for (const observers of observerSets) observers.failed?.(error)
    },
  }
}

/**
 * The name and code of an error. Its message may quote input, so it is included only for our own
 * error type.
 */
function nameError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  if (error instanceof StoreUnavailable) return `${error.name}: ${error.message}`
  return 'code' in error ? `${error.name} ${error.code}` : error.name
}
