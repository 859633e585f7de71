import { connect } from 'node:net'
import { type App, type AppOptions, createApp } from '@partner-payments/sandbox'
import { basic, CREDENTIALS, PREFIX } from './cast.ts'
import { isJson, type Json } from './json.ts'
import { listenAsRelay, type Posted, type Send } from './relay.ts'

type Partner = keyof typeof CREDENTIALS

/** Stands between the service and a receiver; what it resolves with is what the service sees. */
export type Relay = (posted: Posted, send: Send, world: World) => Promise<number>

/** What is sent past a fault, straight to the service. */
export interface Sent {
  readonly authorization?: string | null
  readonly body?: Json
}

/** A service that is right, and means to make it wrong. */
export interface World {
  readonly app: App
  /** Stands between the service and receivers from now on. */
  relay: Relay | undefined
  /** The header `authorization` of a partner who has signed in. */
  bearer(who: Partner): Promise<string>
  /** Asks the service itself, past all that is wrong; the body of the answer, empty where it is none. */
  send(method: string, path: string, sent?: Sent): Promise<Json>
  /** Changes the state itself. */
  run(sql: string, values?: readonly (string | number | bigint | null)[]): Promise<void>
  close(): Promise<void>
}

/** Opens a sandbox in memory, without limits of rates, which delivers to this machine. */
export async function openWorld(options: AppOptions = {}): Promise<World> {
  const relays = await listenAsRelay((posted, send) =>
    world.relay ? world.relay(posted, send, world) : send(posted),
  )
  const open = ({ address: host, port }: { address: string; port: number }) =>
    world.relay ? connect(relays.port) : connect({ host, port })
  const app = await createApp({ limitsRates: false, allowLoopback: true, poster: { open }, ...options })
  const world: World = {
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
  return world
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
  const request = new Request(`http://127.0.0.1${PREFIX}${path}`, {
    method,
    headers,
    body: body ? JSON.stringify(body) : null,
  })
  const text = await (await app.fetch(request)).text()
  const answer: unknown = text ? JSON.parse(text) : {}
  return isJson(answer) ? answer : {}
}

/** Milliseconds that a token is used for; it lives for an hour. */
const KEPT = 3_000_000

function signedIn(app: App): World['bearer'] {
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
