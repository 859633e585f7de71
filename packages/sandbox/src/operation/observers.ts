import type { Attempted } from '../deliveries/deliver.ts'
import type { Observers } from '../sandbox.ts'
import type { HandledRequest } from '../service/service.ts'
import { StoreUnavailable } from '../store/store.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

/** Updates the metrics. */
export function counting(metrics: Metrics): Observers {
  return {
    handled: ({ operation, status, duration_ms }) => metrics.request(operation, status, duration_ms / 1000),
    attempted: ({ outcome }) => metrics.delivery(outcome),
  }
}

/** Writes a log line for each event. */
export function logging(log: Log): Observers {
  return {
    handled: (handled) => log(handled.status < 500 ? 'info' : 'error', 'request', fieldsOf(handled)),
    attempted: (attempted) =>
      log(attempted.outcome.ok ? 'info' : 'warn', messageOf(attempted), factsOf(attempted)),
    failed: (error) => log('error', 'background work failed and will be retried', { reason: nameOf(error) }),
  }
}

/** Notifies several observers. */
export function together(all: readonly Observers[]): Observers {
  return {
    handled(it) {
      for (const { handled } of all) handled?.(it)
    },
    attempted(it) {
      for (const { attempted } of all) attempted?.(it)
    },
    settled(it) {
      for (const { settled } of all) settled?.(it)
    },
    failed(it) {
      for (const { failed } of all) failed?.(it)
    },
  }
}

function fieldsOf({ request_id, operation, method, status, duration_ms, partner_id, error }: HandledRequest) {
  const duration = Math.round(duration_ms * 1000) / 1000
  const reason = error === undefined ? undefined : nameOf(error)
  return { request_id, operation, method, status, duration_ms: duration, partner_id, reason }
}

function messageOf({ outcome, isDead }: Attempted): string {
  if (outcome.ok) return 'delivered'
  return isDead ? 'not delivered, no attempts left' : 'not delivered'
}

function factsOf({ event_id, webhook_id, attempt, outcome }: Attempted) {
  const { status } = outcome
  const reason = outcome.ok ? undefined : outcome.reason
  return { event_id, webhook_id, attempt, status, reason, duration_ms: outcome.durationMs }
}

/** The name and code of an error. Its message may quote input, so it is included only for our own error type. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  if (error instanceof StoreUnavailable) return `${error.name}: ${error.message}`
  return 'code' in error ? `${error.name} ${error.code}` : error.name
}
