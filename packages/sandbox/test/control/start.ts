import { createPayments, type Payments } from '@partner-payments/client'
import type { App, AppOptions } from '../../src/app.ts'
import type { Schemas } from '../../src/contract.ts'
import { serve } from '../../src/serve.ts'

/** A sandbox on its own port, with helpers for its control API. */
export interface Started {
  readonly app: App
  readonly url: string
  /** `control('POST', '/clock', { freeze: true })` */
  control<Body = Problem>(method: string, path: string, body?: unknown): Promise<ParsedResponse<Body>>
  /** A client of the partner, which checks every response against the contract. */
  readonly payments: Payments
  close(): Promise<void>
}

export interface ParsedResponse<Body> {
  readonly status: number
  readonly headers: Headers
  /** The body has the type that the test expects. */
  readonly body: Body
}

type Problem = Schemas['Problem']

export async function start(options: AppOptions = {}): Promise<Started> {
  const app = await serve({ port: 0, checksResponses: true, allowLoopback: true, limitOf: NEVER, ...options })
  const { url } = app
  return {
    app,
    url,
    payments: createPayments({ baseUrl: url, auth: AUTH }),
    control: (method, path, body) => ask(`${url}/_sandbox${path}`, method, body),
    // Cut nothing: whatever keeps the server from closing must fail the test.
    close: () => app.close(60_000),
  }
}

/** Tests wait without a limit, however slow the machine is. */
const NEVER = () => new AbortController().signal

export const AUTH = { clientKey: 'partner', clientSecret: 'secret' }

async function ask(url: string, method: string, body: unknown): Promise<ParsedResponse<never>> {
  const headers = { 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) }
  const response = await fetch(url, { method, ...sent })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: JSON.parse(text || 'null') as never }
}
