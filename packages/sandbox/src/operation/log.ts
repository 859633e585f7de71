import { visible } from '@partner-payments/text'
import type { Attempted } from '../deliveries/deliver.ts'
import type { Observers } from '../sandbox.ts'
import type { HandledRequest } from '../service/service.ts'
import { StoreUnavailable } from '../store/store.ts'
import type { Metrics } from './metrics.ts'

const fieldNames = [
  'request_id',
  'operation',
  'method',
  'status',
  'duration_ms',
  'partner_id',
  'attempt',
  'event_id',
  'webhook_id',
  'reason',
] as const

type LogLevel = 'info' | 'warn' | 'error'

/** The fields of a log line. None may contain a header, a body, a key or a URL with its query. */
type LogFields = Partial<Record<(typeof fieldNames)[number], string | number | boolean | undefined>>

/**
 * Writes a line: time, level, message and the allowed fields that hold a string, a finite number or a boolean. Other
 * fields are dropped, whatever their type says. Strings are cut after 200 characters, and a URL in them before its
 * query.
 */
type Log = (level: LogLevel, message: string, fields?: LogFields) => void

/**
 * Creates a log of JSON lines. It uses an allow-list, because a deny-list is never complete.
 *
 * @param write receives a line with its line feed
 * @param now the time in milliseconds since 1970; default `Date.now`
 */
export function createLog(write: (line: string) => unknown, now: () => number = Date.now): Log {
  return (level, message, fields = {}) => {
    const line = { time: new Date(now()).toISOString(), level, message: cut(message), ...allowed(fields) }
    write(`${visible(JSON.stringify(line))}\n`)
  }
}

function allowed(fields: LogFields): LogFields {
  const kept: LogFields = {}
  for (const name of fieldNames) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (typeof value === 'string') kept[name] = cut(value)
    else if (typeof value === 'boolean' || Number.isFinite(value)) kept[name] = value
  }
  return kept
}

function cut(text: string): string {
  return text.replace(/\S+/g, withoutQuery).slice(0, 200)
}

function withoutQuery(word: string): string {
  return word.includes('://') ? (word.split(/[?#]/, 1)[0] ?? '') : word
}

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
