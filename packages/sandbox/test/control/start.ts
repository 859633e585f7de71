import { createPayments, type Payments } from '@partner-payments/client'
import type { App, AppOptions } from '../../src/app.ts'
import type { Schemas } from '../../src/contract.ts'
import { serve } from '../../src/serve.ts'

/** A sandbox that listens on a port of its own, and how to ask its control. */
export interface Started {
  readonly app: App
  readonly url: string
  /** `control('POST', '/clock', { freeze: true })` */
  control<Body = Problem>(method: string, path: string, body?: unknown): Promise<Answer<Body>>
  /** A client of the partner's, which holds every answer to the contract. */
  readonly payments: Payments
  close(): Promise<void>
}

export interface Answer<Body> {
  readonly status: number
  readonly headers: Headers
  /** What a test expects; it asserts what it takes from it. */
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
    // Nothing is cut: what keeps the server from closing fails its test.
    close: () => app.close(60_000),
  }
}

/** However slow the machine is, a test sees what was waited for. */
const NEVER = () => new AbortController().signal

export const AUTH = { clientKey: 'partner', clientSecret: 'secret' }

async function ask(url: string, method: string, body: unknown): Promise<Answer<never>> {
  const headers = { 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) }
  const answer = await fetch(url, { method, ...sent })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: JSON.parse(text || 'null') as never }
}
