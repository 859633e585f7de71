import { Hono } from 'hono'
import type { Registry } from 'prom-client'
import type { Store } from '../store/store.ts'

/**
 * Endpoints for operating the sandbox, with or without the control API. `/health`: the process
 * runs. `/ready`: the state can be read and written, and the process is not stopping. `/metrics`:
 * for Prometheus.
 */
export function createOperation(store: Store, metrics: Registry) {
  let isDraining = false
  const isReady = createCheck(store)

  async function currentStatus(): Promise<'ok' | 'draining' | 'unavailable'> {
    if (isDraining) return 'draining'
    return (await isReady()) ? 'ok' : 'unavailable'
  }

  const endpoints = new Hono()
  endpoints.get('/health', (c) => c.json({ status: 'ok' }))
  endpoints.get('/ready', async (c) => {
    const status = await currentStatus()
    return c.json({ status, backend: store.backend }, status === 'ok' ? 200 : 503)
  })
  endpoints.get('/metrics', async (c) =>
    c.body(await metrics.metrics(), 200, { 'content-type': metrics.contentType }),
  )
  return {
    endpoints,
    /** Reports "not ready" from now on, so that a load balancer sends no more requests. */
    drain(): void {
      isDraining = true
    },
  }
}

/** Timeout of a check in milliseconds. */
const TIMEOUT_MS = 2_000

/**
 * Returns a function that checks whether the state can be read and written. It resolves with false
 * if that takes too long, and never rejects.
 */
function createCheck(store: Store): () => Promise<boolean> {
  let checking: Promise<boolean> | undefined
  return () => {
    // Concurrent checks share one, because each needs a connection.
    checking ??= canWrite(store).finally(() => {
      checking = undefined
    })
    const isLate = new Promise<boolean>((resolve) => {
      setTimeout(resolve, TIMEOUT_MS, false).unref()
    })
    return Promise.race([checking, isLate])
  }
}

/**
 * Whether a large row can be written and removed again. A full disk may still have room for a small
 * one.
 */
async function canWrite({ write }: Store): Promise<boolean> {
  try {
    await write((queries) => queries.run(PUT_PROBE, [PROBE]))
    await write((queries) => queries.run(REMOVE_PROBE))
    return true
  } catch {
    return false
  }
}

/**
 * At least as long as the rows of a payment: a full disk can still be read, and may have space for
 * a short row.
 */
const PROBE = 'x'.repeat(32_768)
const PUT_PROBE = `
  INSERT INTO settings (name, value) VALUES ('probe', ?)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`
const REMOVE_PROBE = `DELETE FROM settings WHERE name = 'probe'`
