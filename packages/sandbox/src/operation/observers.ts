import type { Attempted } from '../deliveries/deliver.ts'
import type { Observers } from '../sandbox.ts'
import type { Answered } from '../service/service.ts'
import { StoreUnavailable } from '../store/store.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

/** Counts what happens. */
export function counting(metrics: Metrics): Observers {
  return {
    answered: ({ operation, status, duration_ms }) => metrics.request(operation, status, duration_ms / 1000),
    attempted: ({ outcome }) => metrics.delivery(outcome),
  }
}

/** Writes a line for each thing that happens. */
export function logging(log: Log): Observers {
  return {
    answered: (answered) => log(answered.status < 500 ? 'info' : 'error', 'answered', fieldsOf(answered)),
    attempted: (attempted) =>
      log(attempted.outcome.ok ? 'info' : 'warn', messageOf(attempted), factsOf(attempted)),
    failed: (error) =>
      log('error', 'work in the background failed, and is tried again', { reason: nameOf(error) }),
  }
}

/** Tells each of them. */
export function together(all: readonly Observers[]): Observers {
  return {
    answered(it) {
      for (const { answered } of all) answered?.(it)
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

function fieldsOf({ request_id, operation, method, status, duration_ms, partner_id, error }: Answered) {
  const duration = Math.round(duration_ms * 1000) / 1000
  const reason = error === undefined ? undefined : nameOf(error)
  return { request_id, operation, method, status, duration_ms: duration, partner_id, reason }
}

function messageOf({ outcome, isDead }: Attempted): string {
  if (outcome.ok) return 'delivered'
  return isDead ? 'not delivered, and not tried again' : 'not delivered'
}

function factsOf({ event_id, webhook_id, attempt, outcome }: Attempted) {
  const { status } = outcome
  const reason = outcome.ok ? undefined : outcome.reason
  return { event_id, webhook_id, attempt, status, reason, duration_ms: outcome.durationMs }
}

/** The name and the code of an error; its message may quote what came from outside, unless it is one of ours. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  if (error instanceof StoreUnavailable) return `${error.name}: ${error.message}`
  return 'code' in error ? `${error.name} ${error.code}` : error.name
}
