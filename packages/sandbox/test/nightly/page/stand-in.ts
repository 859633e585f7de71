import { Hono } from 'hono'
import { createChanges, createStreams } from '../../../src/control/streams.ts'
import { listen } from '../../../src/listen.ts'
import { createPage } from '../../../src/page/page.ts'
import { EXCHANGE } from './states.ts'

/** A fake control API for the page, whose state the test sets. */
export interface StandIn {
  readonly url: string
  /** The requests of the page, as `POST /path {body}`. */
  readonly asked: string[]
  /** Changes the state, and notifies the page. */
  show(state: object): void
  /** Returns this for every request that is opened. */
  showExchange(exchange: object): void
  /** Ends every stream, and refuses new ones. */
  refuseStreams(): void
  close(): Promise<void>
}

const EMPTY = {
  clock: { now: '2026-11-21T12:00:00Z', frozen: true, ahead_seconds: 0 },
  ...{ storage: 'memory', docs: null },
  ...{ accounts: [], transfers: [], qrcodes: [], webhooks: [], requests: [], faults: [] },
}

export async function startStandIn(): Promise<StandIn> {
  const asked: string[] = []
  const changes = createChanges()
  const streams = createStreams(changes)
  let state = EMPTY
  let exchange: object = EXCHANGE
  let isStreaming = true
  const app = new Hono()
  app.get('/_sandbox/state', (c) => c.json(state))
  app.get('/_sandbox/requests/:id', (c) => c.json(exchange))
  app.get('/_sandbox/stream', (c) => (isStreaming ? streams.open() : c.text('', 503)))
  app.post('/_sandbox/*', async (c) => {
    asked.push(`POST ${c.req.path} ${await c.req.text()}`)
    return c.json({})
  })
  app.route('/', createPage())
  const server = await listen({ fetch: async (request) => app.fetch(request), port: 0, host: '127.0.0.1' })
  return {
    url: server.url,
    asked,
    show(next) {
      state = { ...state, ...next }
      changes.announce()
    },
    showExchange(next) {
      exchange = next
    },
    refuseStreams() {
      isStreaming = false
      streams.close()
    },
    close: () => server.close(0),
  }
}
