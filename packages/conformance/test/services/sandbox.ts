import { connect } from 'node:net'
import { type App, type AppOptions, createApp } from '@partner-payments/sandbox'
import { listenAsRelay, type Posted, type Send } from './listen.ts'

/** The partners in the seed data: client key and client secret. */
export const CREDENTIALS = {
  partner: ['partner', 'secret'],
  other: ['other', 'secret'],
} as const

export type Partner = keyof typeof CREDENTIALS

export function basic([key, secret]: readonly [string, string]): string {
  return `Basic ${btoa(`${key}:${secret}`)}`
}

/**
 * Handles a delivery between the service and a receiver. It resolves with the status that the
 * service sees.
 */
export type Relay = (posted: Posted, send: Send, sandbox: TestSandbox) => Promise<number>

/** A correct service, with the means to make it faulty. */
export interface TestSandbox {
  readonly app: App
  /** What a fault remembers of earlier calls. */
  readonly memory: Map<unknown, unknown>
  /** The Authorization header of a signed-in partner. */
  bearer(who: Partner): Promise<string>
  /** Changes the state by SQL. */
  run(sql: string, ...values: readonly unknown[]): Promise<void>
  close(): Promise<void>
}

/** Opens a sandbox in memory without rate limits, which delivers to this machine alone. */
export async function openTestSandbox(
  options: AppOptions = {},
  relay?: Relay,
): Promise<TestSandbox> {
  const relayServer = relay
    ? await listenAsRelay((posted, send) => relay(posted, send, sandbox))
    : undefined
  const poster = relayServer && { open: () => connect(relayServer.port) }
  const app = await createApp({
    limitsRates: false,
    allowLoopback: true,
    ...(poster && { poster }),
    ...options,
  })

  async function run(sql: string, ...values: readonly unknown[]): Promise<void> {
    await app.store.write((queries) => queries.run(sql, values.map(sqlValue)))
  }

  const sandbox: TestSandbox = {
    app,
    memory: new Map(),
    bearer: signedIn(app),
    run,
    async close() {
      await app.close()
      await relayServer?.close()
    },
  }
  await run(UNREACHABLE)
  return sandbox
}

/** A value of a statement: a number, or text. */
export function sqlValue(value: unknown): string | number | bigint {
  return typeof value === 'number' || typeof value === 'bigint' ? value : String(value)
}

/**
 * Drops deliveries to unreachable hosts, because their attempts would delay those that the checker
 * waits for.
 */
const UNREACHABLE = `
  CREATE TRIGGER unreachable AFTER INSERT ON deliveries
  WHEN (SELECT url FROM webhooks WHERE id = NEW.webhook_id) NOT LIKE 'http://127.0.0.1:%'
  BEGIN UPDATE deliveries SET status = 'dropped', due_at = NULL WHERE position = NEW.position; END`

/** Milliseconds that a token is used. It is valid for an hour. */
const TOKEN_USE_MS = 3_000_000

function signedIn(app: App): TestSandbox['bearer'] {
  const tokens = new Map<Partner, { bearer: string; until: number }>()
  return async (who) => {
    const known = tokens.get(who)
    if (known && known.until > app.clock.now()) return known.bearer

    const headers = { authorization: basic(CREDENTIALS[who]) }
    const url = 'http://127.0.0.1/mobile-bff/v1/auth/partner/token/'
    const response = await app.fetch(new Request(url, { method: 'POST', headers }))
    const { access_token } = (await response.json()) as { access_token: string }
    const bearer = `Bearer ${access_token}`
    tokens.set(who, { bearer, until: app.clock.now() + TOKEN_USE_MS })
    return bearer
  }
}
