import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { now, type RecordedDelivery } from '../history.ts'
import { CannotRun, noResponseReason } from './transport.ts'

/** What a receiver returns for a delivery: a status, with a delay or a redirect, or no response at all. */
export type DeliveryResponse =
  | number
  | { readonly status: number; readonly location?: string; readonly afterMs?: number }
  | 'broken off'

/** An endpoint for one webhook. */
export interface Inbox {
  readonly url: string
  readonly deliveries: readonly RecordedDelivery[]
  /** Waits until a delivery passes the test. Returns it; undefined if none does within `withinMs` (default: that of the run). */
  waitFor(
    test: (delivery: RecordedDelivery) => boolean,
    withinMs?: number,
  ): Promise<RecordedDelivery | undefined>
}

type Respond = (delivery: RecordedDelivery, count: number) => DeliveryResponse

/** Receives deliveries during a run, and adds each to the history. */
export interface Receiver {
  /** Base URL, without a trailing slash. */
  readonly url: string
  /** Whether it is still unknown if the service reaches the receiver. */
  readonly isUntried: boolean
  /** Milliseconds to wait for a delivery that must arrive. */
  readonly timeoutMs: number
  /** Opens an inbox. Default response: 204. `count` begins with 1. */
  open(respond?: Respond): Inbox
  /** Passes all further deliveries on. `signal` ends all waits. */
  listen(add: (delivery: RecordedDelivery) => void, signal: AbortSignal): void
  close(): Promise<void>
}

export interface ReceiverOptions {
  /** URL at which the service reaches the receiver, if not 127.0.0.1. It then listens on all interfaces. */
  readonly publicUrl?: string | undefined
  /** Default: the port in the public URL, otherwise a free one. */
  readonly port?: number | undefined
  /** Milliseconds to wait for a delivery that must arrive. Default: 8,000. */
  readonly timeoutMs?: number | undefined
}

/** Limits of a delivery, and of all that a run receives. */
const LARGEST = 262_144
const MOST = 10_000
const MOST_BYTES = 50_000_000
const DEFAULT_TIMEOUT_MS = 8_000

interface OpenInbox {
  readonly deliveries: RecordedDelivery[]
  readonly respond: Respond
  readonly waiting: Set<(delivery: RecordedDelivery) => void>
}

/**
 * Starts a receiver on this machine.
 *
 * @throws {CannotRun} if the port is not available, or the port behind a public URL is unknown
 */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { publicUrl, port, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const inboxes = new Map<string, OpenInbox>()
  let pass: (delivery: RecordedDelivery) => void = () => undefined
  let signal: AbortSignal | undefined
  let [count, bytes] = [0, 0]

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A tunnel may add a prefix to the path, or remove one.
    const [path = '', id = ''] = /\/([0-9a-f-]{36})(?:\?.*)?$/.exec(request.url ?? '') ?? []
    const inbox = inboxes.get(id)
    const text = await textOf(request)
    if (!inbox || text === undefined || count >= MOST || bytes + text.length > MOST_BYTES)
      return void response.writeHead(404).end()
    count++
    bytes += text.length
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    const arrived = { type: 'delivery', completeAt: now(), url: base + path, headers, text } as const
    const returned = inbox.respond({ ...arrived, status: 0 }, inbox.deliveries.length + 1)
    const delivery = { ...arrived, status: statusOf(returned) }
    inbox.deliveries.push(delivery)
    pass(delivery)
    for (const look of inbox.waiting) look(delivery)
    await respondWith(response, returned, signal)
  }

  const server = createServer((request, response) => {
    // A delivery that is cut off does not count.
    receive(request, response).catch(() => response.destroy())
  })
  const host = publicUrl === undefined ? '127.0.0.1' : undefined
  await listening(server, portOf(publicUrl, port), { what: 'deliveries cannot be received', host })
  const base = publicUrl?.replace(/\/$/, '') ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: base,
    isUntried: publicUrl !== undefined,
    timeoutMs,
    open(respond = () => 204) {
      const id = randomUUID()
      const inbox: OpenInbox = { deliveries: [], respond, waiting: new Set() }
      inboxes.set(id, inbox)
      const { deliveries } = inbox
      return {
        url: `${base}/${id}`,
        deliveries,
        waitFor: async (test, withinMs = timeoutMs) =>
          deliveries.find(test) ?? arrival(inbox, test, { withinMs, signal }),
      }
    },
    listen(add, until) {
      pass = add
      signal = until
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Wait {
  readonly withinMs: number
  readonly signal: AbortSignal | undefined
}

function arrival(
  { waiting }: OpenInbox,
  test: (delivery: RecordedDelivery) => boolean,
  { withinMs, signal }: Wait,
): Promise<RecordedDelivery | undefined> {
  return new Promise((resolve) => {
    const end = (found?: RecordedDelivery) => {
      waiting.delete(look)
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      resolve(found)
    }
    const look = (it: RecordedDelivery) => test(it) && end(it)
    const stop = () => end()
    const timer = setTimeout(stop, signal?.aborted ? 0 : withinMs)
    signal?.addEventListener('abort', stop)
    waiting.add(look)
  })
}

function portOf(publicUrl: string | undefined, port: number | undefined): number {
  if (port !== undefined || publicUrl === undefined) return port ?? 0
  const named = Number(new URL(publicUrl).port)
  if (named > 0) return named
  throw new CannotRun(`the receiver URL ${publicUrl} has no port; give the local port that it leads to`)
}

/** @throws {CannotRun} if the port is not available */
export async function listening(
  server: Server,
  port: number,
  { what, host }: { readonly what: string; readonly host: string | undefined },
): Promise<void> {
  try {
    server.listen({ port, ...(host !== undefined && { host }) })
    await once(server, 'listening')
    // Later errors concern single connections, which are closed.
    server.on('error', () => {})
  } catch (error) {
    throw new CannotRun(`${what} on port ${port}: ${noResponseReason(error)}`, { cause: error })
  }
}

function statusOf(returned: DeliveryResponse): number {
  if (returned === 'broken off') return 0
  return typeof returned === 'number' ? returned : returned.status
}

async function respondWith(
  response: ServerResponse,
  returned: DeliveryResponse,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (returned === 'broken off') return void response.destroy()
  const { status, location, afterMs = 0 } = typeof returned === 'number' ? { status: returned } : returned
  if (afterMs > 0) await sleep(afterMs, undefined, { ...(signal && { signal }) }).catch(() => undefined)
  response.writeHead(status, location === undefined ? {} : { location }).end()
}

async function textOf(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > LARGEST) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
