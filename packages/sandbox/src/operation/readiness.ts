import { Hono } from 'hono'
import { type Queries, type Store, StoreUnavailable } from '../store/store.ts'
import type { Metrics } from './metrics.ts'

/** A store that knows whether it is usable. */
export interface WatchedStore extends Store {
  /** Whether the state can be read, and written if the last write failed. Never rejects. */
  isReady(): Promise<boolean>
}

/** Timeout of a check in milliseconds. */
const TIMEOUT_MS = 2_000
/** Written as a test; at least as long as the rows of a payment. */
const PROBE = 'x'.repeat(32_768)

/** Remembers whether the last write failed, because a full disk can still be read. */
export function watched(store: Store): WatchedStore {
  let hasFailed = false
  let looking: Promise<boolean> | undefined
  const watch =
    (run: Store['write']): Store['write'] =>
    async (work) => {
      try {
        const value = await run(work)
        hasFailed = false
        return value
      } catch (error) {
        if (error instanceof StoreUnavailable) hasFailed = true
        throw error
      }
    }
  const write = watch(store.write)
  const look = () => (hasFailed ? probe(write) : store.read((queries) => queries.get('SELECT 1 AS one')))
  return {
    ...store,
    write,
    alone: watch(store.alone),
    clear: watch(store.clear),
    isReady() {
      // Concurrent checks share one, because each needs a connection.
      looking ??= look()
        .then(() => true)
        .catch(() => false)
        .finally(() => {
          looking = undefined
        })
      return Promise.race([looking, late()])
    },
  }
}

async function probe(write: Store['write']): Promise<void> {
  await write((queries) => put(queries, PROBE))
  await write((queries) => queries.run(`DELETE FROM settings WHERE name = 'probe'`))
}

function put(queries: Queries, value: string): Promise<number> {
  const update = 'ON CONFLICT (name) DO UPDATE SET value = excluded.value'
  return queries.run(`INSERT INTO settings (name, value) VALUES ('probe', ?) ${update}`, [value])
}

function late(): Promise<boolean> {
  return new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS, false).unref())
}

/** Endpoints for operating the sandbox. They are served with or without the control API. */
interface Operation {
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
