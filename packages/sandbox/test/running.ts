import { type App, type AppOptions, createApp, listen } from '../src/index.ts'

/** A sandbox that listens. */
export interface Running {
  readonly app: App
  readonly url: string
  close(): Promise<void>
}

/** The day on which the examples of the contract happen. */
const EXAMPLES_DAY = Date.parse('2026-11-02T14:30:00Z')

/** Starts a sandbox on a free port. Its time runs from the day of the examples, whose dates have not passed then. */
export async function start(options: AppOptions = {}): Promise<Running> {
  const begin = performance.now()
  const now = () => Math.round(EXAMPLES_DAY + performance.now() - begin)
  const app = await createApp({ now, settleAfterMs: 0, limitsRates: false, ...options })
  const listening = await listen({ fetch: app.fetch, port: 0, host: '127.0.0.1' })
  return {
    app,
    url: listening.url,
    async close() {
      await listening.close(0)
      await app.close()
    },
  }
}
