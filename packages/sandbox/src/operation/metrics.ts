import { Counter, Histogram, Registry } from 'prom-client'
import { type Outcome, reasons } from '../deliveries/outcome.ts'

/** The metrics of one sandbox, in their own Registry. */
export interface Metrics {
  /** Counts a request. An unknown or undefined operation becomes `none`. */
  request(operation: string | undefined, status: number, seconds: number): void
  /** Counts a delivery attempt, as `ok` or by its reason. */
  delivery(outcome: Pick<Outcome, 'ok'> & { reason?: string }): void
  /** The metrics in the text format. */
  render(): Promise<string>
  /** The media type of {@link Metrics.render}. */
  contentType: string
}

/**
 * Creates the metrics for Prometheus (text format 0.0.4). Label values are bounded: operations of the contract, HTTP
 * statuses (RFC 9110, section 15), reasons of deliveries.
 */
export function createMetrics(operations: Iterable<string>): Metrics {
  const registry = new Registry()
  const known = new Set(operations)
  const { requests, seconds, deliveries } = instruments(registry)

  return {
    request(name, status, took) {
      const operation = name !== undefined && known.has(name) ? name : 'none'
      requests.inc({ operation, status: statusOf(status) })
      seconds.observe({ operation }, took)
    },
    delivery({ ok, reason }) {
      deliveries.inc({ outcome: ok ? 'ok' : (reasons.find((one) => one === reason) ?? 'internal') })
    },
    render: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

function instruments(registry: Registry) {
  return {
    requests: new Counter({
      name: 'sandbox_requests_total',
      help: 'Requests, by operation and status.',
      labelNames: ['operation', 'status'],
      registers: [registry],
    }),
    seconds: new Histogram({
      name: 'sandbox_request_seconds',
      help: 'Seconds from request to response, by operation.',
      labelNames: ['operation'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers: [registry],
    }),
    deliveries: new Counter({
      name: 'sandbox_deliveries_total',
      help: 'Delivery attempts, by outcome.',
      labelNames: ['outcome'],
      registers: [registry],
    }),
  }
}

function statusOf(status: number): string {
  return Number.isInteger(status) && status >= 100 && status <= 599 ? String(status) : 'none'
}
