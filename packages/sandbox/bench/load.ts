import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'

/** A sequence of requests. Resolves with their number. */
export type Lane = (send: Send) => Promise<number>

/**
 * Sends a request and returns the parsed body of its success. Paths of the control API begin with /_sandbox.
 *
 * @param authorization instead of the token of the partner
 */
export type Send = (
  method: string,
  path: string,
  body?: object,
  authorization?: string,
) => Promise<Record<string, string>>

/** Concurrent connections, as in the published figures of other servers. */
const CONNECTIONS = 10

/** Signs in to the service under load. */
async function connect(url: string): Promise<{ send: Send; close(): Promise<void> }> {
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
      throw new Error(`${method} ${path} returned ${response.statusCode}: ${text}`)
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
  const script = fileURLToPath(new URL('server.ts', import.meta.url))
  const child: ChildProcess = spawn(process.execPath, [script, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  const ended = exit.then(() => Promise.reject(new Error(`${name} did not start`)))
  const [line] = await Promise.race([once(child.stdout ?? child, 'data'), ended])
  const { send, close } = await connect(String(line).trim())
  return {
    name,
    send,
    async stop() {
      await close()
      child.kill()
      await exit
    },
  }
}

/** The requests per second of a server. */
export interface Rate {
  readonly name: string
  readonly value: number
}

/** Measures the servers in turns and returns medians, so that other load on the machine affects all alike. */
export async function ratesOf(
  lane: Lane,
  servers: readonly Server[],
  { rounds, ms }: { readonly rounds: number; readonly ms: number },
): Promise<Rate[]> {
  const samples = servers.map((): number[] => [])
  for (let round = -1; round < rounds; round++) {
    for (const [i, { send }] of servers.entries()) {
      const rate = await requestsPerSecond(send, lane, ms)
      // The first round warms up.
      if (round >= 0) samples[i]?.push(rate)
    }
  }
  return servers.map(({ name }, i) => ({ name, value: median(samples[i] ?? []) }))
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}
