import { medians } from '@partner-payments/bench'
import { Pool } from 'undici'
import { startChild } from '../scripts/child.ts'

/** A sequence of requests. */
export type Lane = (send: Send) => Promise<unknown>

/**
 * Sends a request and returns the parsed body of its success. Paths of the control API begin with /_sandbox.
 *
 * @param authorization instead of the token of the partner
 * @throws {UnexpectedResponse} if it is no success
 */
export type Send = (
  method: string,
  path: string,
  body?: object,
  authorization?: string,
) => Promise<Record<string, string>>

export class UnexpectedResponse extends Error {}

/** Concurrent connections, as in the published figures of other servers. */
const CONNECTIONS = 10

/** A connection to a service. */
export interface Connection {
  readonly send: Send
  /** The number of its successes so far. */
  successes(): number
  close(): Promise<void>
}

/** Signs in to a service. */
export async function connect(url: string): Promise<Connection> {
  let successes = 0
  const pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1 })
  let token = `Basic ${btoa('partner:secret')}`
  const send: Send = async (method, path, body, authorization = token) => {
    const headers = { authorization, ...(body && { 'content-type': 'application/json' }) }
    const it = {
      method: method as 'GET',
      path: path.startsWith('/_sandbox') ? path : `/mobile-bff/v1${path}`,
      headers,
      body: body ? JSON.stringify(body) : null,
    }
    const response = await pool.request(it)
    const text = await response.body.text()
    if (response.statusCode >= 300)
      throw new UnexpectedResponse(`${method} ${path} returned ${response.statusCode}: ${text}`)
    successes++
    return text === '' ? {} : JSON.parse(text)
  }
  const tokens = await send('POST', '/auth/partner/token/').catch(() => ({ access_token: 'any' }))
  token = `Bearer ${tokens.access_token}`
  return { send, successes: () => successes, close: () => pool.close() }
}

/** Runs `server.ts` with arguments, in its own process. */
export async function startServer(...args: readonly string[]): Promise<Connection> {
  const child = startChild(new URL('server.ts', import.meta.url), args)
  const connection = await connect(await child.firstLine)
  return {
    ...connection,
    async close() {
      await connection.close()
      await child.stop()
    },
  }
}

const ROUNDS = 5
const ROUND_MS = 500

/** Measures the requests per second of servers, by name, with all connections busy. */
export function ratesOf(lane: Lane, servers: Readonly<Record<string, Connection>>) {
  return medians(servers, (server) => requestsPerSecond(lane, server), ROUNDS)
}

async function requestsPerSecond(lane: Lane, { send, successes }: Connection): Promise<number> {
  const [began, before] = [performance.now(), successes()]
  const busy = async () => {
    while (performance.now() - began < ROUND_MS) await lane(send)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, busy))
  return ((successes() - before) * 1000) / (performance.now() - began)
}
