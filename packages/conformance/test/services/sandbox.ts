import { connect } from 'node:net'
import { type App, type AppOptions, createApp } from '@partner-payments/sandbox'
import { isJson, type Json } from './json.ts'
import { listenAsRelay, type Posted, type Send } from './relay.ts'

/** The partners in the seed data: client key and client secret. */
export const CREDENTIALS = { partner: ['partner', 'secret'], other: ['other', 'secret'] } as const

export type Partner = keyof typeof CREDENTIALS

export function basic([key, secret]: readonly [string, string]): string {
  return `Basic ${btoa(`${key}:${secret}`)}`
}

/** Handles a delivery between the service and a receiver. It resolves with the status that the service sees. */
export type Relay = (posted: Posted, send: Send, sandbox: TestSandbox) => Promise<number>

/** A request that bypasses the fault. */
export interface Sent {
  readonly authorization?: string | null
  readonly body?: Json
}

/** A correct service, with the means to make it faulty. */
export interface TestSandbox {
  readonly app: App
  /** Handles all further deliveries. */
  relay: Relay | undefined
  /** The Authorization header of a signed-in partner. */
  bearer(who: Partner): Promise<string>
  /** Sends a request past the fault, and returns the body of the response; {} if there is none. */
  send(method: string, path: string, sent?: Sent): Promise<Json>
  /** Changes the state by SQL. */
  run(sql: string, values?: readonly (string | number | bigint | null)[]): Promise<void>
  close(): Promise<void>
}

/** Opens a sandbox in memory without rate limits, which delivers to this machine. */
export async function openTestSandbox(options: AppOptions = {}): Promise<TestSandbox> {
  const relays = await listenAsRelay((posted, send) =>
    sandbox.relay ? sandbox.relay(posted, send, sandbox) : send(posted),
  )
  const open = ({ address: host, port }: { address: string; port: number }) =>
    sandbox.relay ? connect(relays.port) : connect({ host, port })
  const app = await createApp({ limitsRates: false, allowLoopback: true, poster: { open }, ...options })
  const sandbox: TestSandbox = {
    app,
    relay: undefined,
    bearer: signedIn(app),
    send: (method, path, sent) => send(app, method, path, sent),
    async run(sql, values = []) {
      await app.store.write((queries) => queries.run(sql, values))
    },
    async close() {
      await app.close()
      await relays.close()
    },
  }
  return sandbox
}

async function send(
  app: App,
  method: string,
  path: string,
  { authorization, body }: Sent = {},
): Promise<Json> {
  const headers = {
    ...(authorization && { authorization }),
    ...(body && { 'content-type': 'application/json' }),
  }
  const request = new Request(`http://127.0.0.1/mobile-bff/v1${path}`, {
    method,
    headers,
    body: body ? JSON.stringify(body) : null,
  })
  const text = await (await app.fetch(request)).text()
  const response: unknown = text ? JSON.parse(text) : {}
  return isJson(response) ? response : {}
}

/** Milliseconds that a token is used. It is valid for an hour. */
const KEPT = 3_000_000

function signedIn(app: App): TestSandbox['bearer'] {
  const tokens = new Map<Partner, { bearer: string; until: number }>()
  return async (who) => {
    const known = tokens.get(who)
    if (known && known.until > app.clock.now()) return known.bearer
    const authorization = basic(CREDENTIALS[who])
    const { access_token } = await send(app, 'POST', '/auth/partner/token/', { authorization })
    const bearer = `Bearer ${access_token}`
    tokens.set(who, { bearer, until: app.clock.now() + KEPT })
    return bearer
  }
}
