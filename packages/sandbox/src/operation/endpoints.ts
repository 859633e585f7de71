import { Hono } from 'hono'
import type { Metrics } from './metrics.ts'
import type { WatchedStore } from './readiness.ts'

/** Endpoints for operating the sandbox. They are served with or without the control API. */
export interface Operation {
  readonly endpoints: Hono
  /** Reports "not ready" from now on, so that a load balancer sends no more requests. */
  drain(): void
}

/**
 * `/health`: the process runs. `/ready`: the state can be read and written, and the process is not stopping.
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
