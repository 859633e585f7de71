import { createPayments, type Payments } from '@partner-payments/client'
import { type App, type AppOptions, createApp } from '../../src/app.ts'
import type { Schemas } from '../../src/contract.ts'
import { type Listening, listen } from '../../src/listen.ts'

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
  const app = await createApp({ checksAnswers: true, allowLoopback: true, ...options })
  const listening = await listen({ fetch: app.fetch, port: 0, host: '127.0.0.1' })
  return {
    app,
    url: listening.url,
    payments: createPayments({ baseUrl: listening.url, auth: AUTH }),
    control: (method, path, body) => ask(`${listening.url}/_sandbox${path}`, method, body),
    close: () => stop(app, listening),
  }
}

export const AUTH = { clientKey: 'partner', clientSecret: 'secret' }

async function stop(app: App, listening: Listening): Promise<void> {
  app.drain()
  // Nothing is cut: what keeps the server from closing fails its test.
  await listening.close(60_000)
  await app.close()
}

async function ask(url: string, method: string, body: unknown): Promise<Answer<never>> {
  const headers = { 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) }
  const answer = await fetch(url, { method, ...sent })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: JSON.parse(text || 'null') as never }
}
