import { median } from '@partner-payments/bench'
import { Pool } from 'undici'
import { startChild } from '../scripts/child.ts'

/** A sequence of requests. Resolves with their number. */
export type Lane = (send: Send) => Promise<number>

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

/** Signs in to a service. */
export async function connect(url: string): Promise<{ send: Send; close(): Promise<void> }> {
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
    return text === '' ? {} : JSON.parse(text)
  }
  const tokens = await send('POST', '/auth/partner/token/').catch(() => ({ access_token: 'any' }))
  token = `Bearer ${tokens.access_token}`
  return { send, close: () => pool.close() }
}

/** Measures requests per second with all connections busy, for this many milliseconds. */
async function requestsPerSecond(send: Send, lane: Lane, ms: number): Promise<number> {
  const began = performance.now()
  let count = 0
  const busy = async () => {
    while (performance.now() - began < ms) {
      // `count += await …` would read the count before it waits, and lose what other connections add meanwhile.
      const done = await lane(send)
      count += done
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, busy))
  return count / ((performance.now() - began) / 1000)
}

/** A server in its own process. */
export interface Server {
  readonly name: string
  readonly send: Send
  stop(): Promise<void>
}

/** Runs `server.ts` with arguments. */
export async function startServer(name: string, args: readonly string[]): Promise<Server> {
  const child = startChild(new URL('server.ts', import.meta.url), args)
  const { send, close } = await connect(await child.firstLine)
  return {
    name,
    send,
    async stop() {
      await close()
      await child.stop()
    },
  }
}

/**
 * Measures the requests per second of servers, by name: in turns, as medians, so that other load on the machine affects
 * all alike.
 */
export async function ratesOf(
  lane: Lane,
  servers: readonly Server[],
  { rounds, ms }: { readonly rounds: number; readonly ms: number },
): Promise<Record<string, number>> {
  const samples = servers.map((): number[] => [])
  for (let round = -1; round < rounds; round++) {
    for (const [i, { send }] of servers.entries()) {
      const rate = await requestsPerSecond(send, lane, ms)
      // The first round warms up.
      if (round >= 0) samples[i]?.push(rate)
    }
  }
  return Object.fromEntries(servers.map(({ name }, i) => [name, median(samples[i] ?? [])]))
}
