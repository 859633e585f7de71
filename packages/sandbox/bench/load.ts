import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { medians } from '@partner-payments/bench'
import { Program } from '@partner-payments/programs'
import { BalancedPool } from 'undici'
import type { StoreOptions } from '../src/store/open.ts'

/** A sequence of requests. */
export type Lane = (send: Send) => Promise<unknown>

/**
 * Sends a request and returns the parsed body of its success. Paths of the control API begin with
 * /_sandbox.
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

/** What a command prints once it listens. */
export const ADDRESS = /http:\S+:\d+/

/** Concurrent connections, as in the published figures of other servers. */
const CONNECTIONS = 10

/** A connection to a service. */
export interface Connection {
  readonly send: Send
  /** The number of its successes so far. */
  successes(): number
  close(): Promise<void>
}

/** Signs in to a service, whose instances take turns. */
export async function connect(...urls: string[]): Promise<Connection> {
  let successes = 0
  const pool = new BalancedPool(urls, { connections: CONNECTIONS, pipelining: 1 })
  let token = `Basic ${btoa('partner:secret')}`
  const send: Send = async (method, path, body, authorization = token) => {
    const isControl = path.startsWith('/_sandbox')
    const headers: Record<string, string> = { authorization }
    if (body) headers['content-type'] = 'application/json'
    const response = await pool.request({
      method: method as 'GET',
      path: isControl ? path : `/mobile-bff/v1${path}`,
      headers,
      body: body ? JSON.stringify(body) : null,
    })
    const text = await response.body.text()
    if (response.statusCode >= 300) {
      throw new UnexpectedResponse(`${method} ${path} returned ${response.statusCode}: ${text}`)
    }

    successes++
    return text === '' ? {} : JSON.parse(text)
  }

  // A server that has no sign-in takes any token.
  const tokens = await send('POST', '/auth/partner/token/').catch(() => ({ access_token: 'any' }))
  token = `Bearer ${tokens.access_token}`
  return { send, successes: () => successes, close: () => pool.close() }
}

/** Runs a script with flags, in its own process. */
export function run(
  script: string,
  flags: readonly string[] = [],
  env: Record<string, string> = {},
): Program {
  const path = fileURLToPath(new URL(script, import.meta.url))
  return new Program(process.execPath, [path, ...flags], { env: { ...process.env, ...env } })
}

/** Runs the command of the sandbox on a state. */
export function runSandbox({ file, databaseUrl = '' }: StoreOptions, ...flags: string[]): Program {
  const args = ['--port', '0']
  if (file) args.push('--file', file)
  args.push('--no-rate-limits', ...flags)
  return run('../src/cli.ts', args, { DATABASE_URL: databaseUrl })
}

/** A file for a state, in a new folder that ends with this process. */
export function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'state.db')
}

/** Connects to programs that print their URLs, and stops them with the connection. */
export async function connectTo(...programs: readonly Program[]): Promise<Connection> {
  const matches = await Promise.all(programs.map((program) => program.printed(ADDRESS)))
  const urls = matches.map(([url]) => url)
  const connection = await connect(...urls)
  return {
    ...connection,
    async close() {
      await connection.close()
      await Promise.all(programs.map((program) => program.stop('SIGKILL')))
    },
  }
}

const ROUNDS = 5
const ROUND_MS = 500

/**
 * Measures the requests per second of each lane on servers, by name, with all connections busy.
 * Closes the servers.
 */
export async function ratesOf(
  lanes: Readonly<Record<string, Lane>>,
  servers: Readonly<Record<string, Connection>>,
) {
  const rates: [title: string, Readonly<Record<string, number>>][] = []
  try {
    for (const [title, lane] of Object.entries(lanes)) {
      const measure = (server: Connection) => requestsPerSecond(lane, server)
      rates.push([title, await medians(servers, measure, ROUNDS)])
    }
    return rates
  } finally {
    for (const server of Object.values(servers)) await server.close()
  }
}

async function requestsPerSecond(lane: Lane, { send, successes }: Connection): Promise<number> {
  const before = successes()
  const began = performance.now()
  async function runLane(): Promise<void> {
    while (performance.now() - began < ROUND_MS) await lane(send)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, runLane))

  const seconds = (performance.now() - began) / 1000
  return (successes() - before) / seconds
}
