import { Counter, Histogram, Registry } from 'prom-client'
import type { Observers } from './log.ts'

/**
 * Creates the metrics of one sandbox for Prometheus (text format 0.0.4): `registry`, which writes
 * them, and `counting`, the callbacks that count requests and deliveries. Label values are bounded:
 * operations of the contract, HTTP statuses, reasons of deliveries.
 */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: 'sandbox_requests_total',
    help: 'Requests, by operation and status.',
    labelNames: ['operation', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: 'sandbox_request_seconds',
    help: 'Seconds from request to response, by operation.',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  })
  const deliveries = new Counter({
    name: 'sandbox_deliveries_total',
    help: 'Delivery attempts, by outcome.',
    labelNames: ['outcome'],
    registers,
  })
  const counting: Observers = {
    handled({ operation = 'none', status, duration_ms }) {
      // No response was sent if the status is 0.
      requests.inc({ operation, status: status || 'none' })
      seconds.observe({ operation }, duration_ms / 1000)
    },
    attempted: ({ outcome }) => deliveries.inc({ outcome: outcome.ok ? 'ok' : outcome.reason }),
  }
  return { counting, registry }
}
