import { Hono } from 'hono'
import type { Metrics } from './metrics.ts'
import type { WatchedStore } from './readiness.ts'

/** What those who run the sandbox ask for; served whether there is a control or not. */
export interface Operation {
  readonly endpoints: Hono
  /** Says not ready from now on, so that a balancer sends no more. */
  drain(): void
}

/**
 * `/health`: the process runs. `/ready`: the state can be read and written, and the process is not about to stop.
 * `/metrics`: for Prometheus.
 */
export function createOperation(store: WatchedStore, metrics: Metrics): Operation {
  let isDraining = false
  const endpoints = new Hono()
  endpoints.get('/health', (c) => c.json({ status: 'ok' }))
  endpoints.get('/ready', async (c) => {
    const status = isDraining ? 'draining' : (await store.isReady()) ? 'ok' : 'unavailable'
    return c.json({ status, backend: store.backend }, status === 'ok' ? 200 : 503)
  })
  endpoints.get('/metrics', async (c) =>
    c.body(await metrics.render(), 200, { 'content-type': metrics.contentType }),
  )
  return {
    endpoints,
    drain() {
      isDraining = true
    },
  }
}
