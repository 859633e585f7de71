import { Hono } from 'hono'
import type { Store } from '../store/store.ts'
import type { Metrics } from './metrics.ts'

/** What those who run the sandbox ask for; served whether there is a control or not. */
export interface Operation {
  readonly endpoints: Hono
  /** Says not ready from now on, so that a balancer sends no more. */
  drain(): void
}

/**
 * `/health`: the process answers. `/ready`: so does the state, and it is not about to stop. `/metrics`: for Prometheus.
 */
export function createOperation(store: Store, metrics: Metrics): Operation {
  let isDraining = false
  const endpoints = new Hono()
  endpoints.get('/health', (c) => c.json({ status: 'ok' }))
  endpoints.get('/ready', async (c) => {
    const status = isDraining ? 'draining' : await stateOf(store)
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

async function stateOf(store: Store): Promise<'ok' | 'unavailable'> {
  return store
    .read((queries) => queries.get('SELECT 1 AS one'))
    .then(
      () => 'ok',
      () => 'unavailable',
    )
}
