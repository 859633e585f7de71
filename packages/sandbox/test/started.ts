import { createPayments, type Payments } from '@partner-payments/client'
import type { App, AppOptions } from '../src/app.ts'
import type { Schemas } from '../src/contract.ts'
import type { State } from '../src/control/state.ts'
import { serve } from '../src/serve.ts'
import { sharedPostgres } from './backends.ts'
import { type Receiver, receiver } from './receiver.ts'

/** A sandbox on its own port, with helpers for its control API. */
export interface Started {
  readonly app: App
  readonly url: string
  /** `control('POST', '/clock', { freeze: true })` */
  control<Body = Problem>(method: string, path: string, body?: unknown): Promise<ParsedResponse<Body>>
  state(): Promise<State>
  /** What `GET /_sandbox/reconcile` finds. */
  findings(): Promise<readonly string[]>
  /** Advances the clock by seconds, after the work that is due. */
  advance(seconds: number): Promise<unknown>
  /** A client of the partner, which checks every response against the contract. */
  readonly payments: Payments
  /** Makes a transfer to a key. */
  pay(amount?: string, dict_key?: string): Promise<{ readonly id: string }>
  /** A receiver for webhooks. */
  readonly shop: Receiver
  close(): Promise<void>
}

export interface ParsedResponse<Body> {
  readonly status: number
  readonly headers: Headers
  /** The body has the type that the test expects. */
  readonly body: Body
}

type Problem = Schemas['Problem']

/** Both kinds of storage, for tests that have no state of their own. */
export const BACKENDS = ['sqlite', 'postgres'] as const

export async function start(
  options: AppOptions = {},
  backend: (typeof BACKENDS)[number] = 'sqlite',
): Promise<Started> {
  const where = backend === 'postgres' && { databaseUrl: await sharedPostgres().newDatabase() }
  const defaults = { port: 0, checksResponses: true, allowLoopback: true, limitOf: NEVER, ...where }
  const [app, shop] = await Promise.all([serve({ ...defaults, ...options }), receiver()])
  const { url } = app
  const payments = createPayments({ baseUrl: url, auth: AUTH })
  const control: Started['control'] = (method, path, body) => ask(`${url}/_sandbox${path}`, method, body)
  return {
    ...{ app, url, payments, shop, control },
    state: async () => (await control<State>('GET', '/state')).body,
    findings: async () => (await control<{ findings: string[] }>('GET', '/reconcile')).body.findings,
    advance: (advance_seconds) => control('POST', '/clock', { advance_seconds }),
    pay: async (amount = '1.00', dict_key = 'beltrana@example.com') =>
      (await payments.keys.check(dict_key)).pay({ amount }),
    async close() {
      // Cut nothing: whatever keeps the server from closing must fail the test.
      await app.close(60_000)
      await shop.close()
    },
  }
}

/** Tests wait without a limit, however slow the machine is. */
export const NEVER = () => new AbortController().signal

export const AUTH = { clientKey: 'partner', clientSecret: 'secret' }

async function ask(url: string, method: string, body: unknown): Promise<ParsedResponse<never>> {
  const headers = { 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) }
  const response = await fetch(url, { method, ...sent })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: JSON.parse(text || 'null') as never }
}
