import { Pool } from 'undici'

/** Requests of a work, each lane one after the other. */
export type Lane = (send: Send) => Promise<number>

/**
 * Sends one request, and gives the parsed body of its success. A path of the control begins with /_sandbox.
 *
 * @param authorization instead of the token of the partner
 */
export type Send = (
  method: string,
  path: string,
  body?: object,
  authorization?: string,
) => Promise<Record<string, string>>

/** Connections at a time, as the peers' own figures have it. */
const CONNECTIONS = 10

/** A service to be loaded, signed in. */
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
    const answer = await pool.request(it)
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`)
    return text === '' ? {} : JSON.parse(text)
  }
  const tokens = await send('POST', '/auth/partner/token/').catch(() => ({ access_token: 'any' }))
  token = `Bearer ${tokens.access_token}`
  return { send, close: () => pool.close() }
}

/** Requests a second while all connections are busy for so many milliseconds. */
export async function requestsPerSecond(send: Send, lane: Lane, ms: number): Promise<number> {
  const began = performance.now()
  let count = 0
  const busy = async () => {
    while (performance.now() - began < ms) count += await lane(send)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, busy))
  return count / ((performance.now() - began) / 1000)
}
