import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { CannotRun } from '../model/errors.ts'
import { noResponseReason } from './no-response-reason.ts'

/** A received delivery. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string>>
  /** The raw body, as it was signed. */
  readonly text: string
  /** Time of arrival in milliseconds, from `performance.now()`. */
  readonly at: number
}

/** An endpoint for one webhook. */
export interface Inbox {
  readonly url: string
  /** Milliseconds to wait for an expected delivery. */
  readonly timeoutMs: number
  readonly deliveries: readonly Delivery[]
}

/** The response to a delivery: a status, optionally delayed or with a redirect, or a closed connection. */
export type DeliveryResponse =
  | number
  | { readonly status: number; readonly location?: string; readonly afterMs?: number }
  | 'broken off'

export type RespondToDelivery = (delivery: Delivery, count: number) => DeliveryResponse

/** Receives deliveries during a run. */
export interface Receiver {
  /** Base URL, without a trailing slash. */
  readonly url: string
  /** Whether it is still unknown if the service reaches the receiver. */
  readonly isUntried: boolean
  /** Opens an inbox. Default response: 204. */
  open(respond?: RespondToDelivery): Inbox
  close(): Promise<void>
}

/** Limits of a delivery and of an inbox. */
const MAX_BYTES = 262_144
const MAX_DELIVERIES = 1_000

interface OpenInbox {
  readonly deliveries: Delivery[]
  readonly respond: RespondToDelivery
}

export interface ReceiverOptions {
  /** URL at which the service reaches the receiver, if not 127.0.0.1. It then listens on all interfaces. */
  readonly publicUrl?: string | undefined
  /** Default: the port in the public URL, otherwise a free one. */
  readonly port?: number | undefined
  /** Milliseconds to wait for an expected delivery. Default: 8,000. */
  readonly timeoutMs?: number | undefined
}

const DEFAULT_TIMEOUT_MS = 8_000

/**
 * Starts a receiver on this machine.
 *
 * @throws {CannotRun} if the port is not available, or the port behind a public URL is unknown
 */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { publicUrl, port, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const inboxes = new Map<string, OpenInbox>()
  const server = createServer((request, response) => {
    // A delivery that is cut off does not count.
    receive(inboxes, request, response).catch(() => response.destroy())
  })
  await listening(server, portOf(publicUrl, port), publicUrl === undefined ? '127.0.0.1' : undefined)
  const base = publicUrl?.replace(/\/$/, '') ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: base,
    isUntried: publicUrl !== undefined,
    open(respond = () => 204) {
      const path = `/${randomUUID()}`
      const deliveries: Delivery[] = []
      inboxes.set(path, { deliveries, respond })
      return { url: base + path, timeoutMs, deliveries }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function portOf(publicUrl: string | undefined, port: number | undefined): number {
  if (port !== undefined || publicUrl === undefined) return port ?? 0
  const said = Number(new URL(publicUrl).port)
  if (said > 0) return said
  throw new CannotRun(`the receiver URL ${publicUrl} has no port; give the local port that it leads to`)
}

async function listening(server: Server, port: number, host: string | undefined): Promise<void> {
  try {
    server.listen({ port, ...(host !== undefined && { host }) })
    await once(server, 'listening')
    // Later errors concern single connections, which are closed.
    server.on('error', () => {})
  } catch (error) {
    throw new CannotRun(`deliveries cannot be received on port ${port}: ${noResponseReason(error)}`, {
      cause: error,
    })
  }
}

async function receive(
  inboxes: ReadonlyMap<string, OpenInbox>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const inbox = inboxes.get(pathIn(request.url))
  const text = await textOf(request)
  if (!inbox || text === undefined || inbox.deliveries.length >= MAX_DELIVERIES)
    return void response.writeHead(404).end()
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  )
  const delivery = { headers, text, at: performance.now() }
  await respondWith(response, inbox.respond(delivery, inbox.deliveries.push(delivery)))
}

async function respondWith(response: ServerResponse, reply: DeliveryResponse): Promise<void> {
  if (reply === 'broken off') return void response.destroy()
  const { status, location, afterMs = 0 } = typeof reply === 'number' ? { status: reply } : reply
  if (afterMs > 0) await sleep(afterMs)
  response.writeHead(status, location === undefined ? {} : { location }).end()
}

/** Only the last segment counts, since a tunnel may add or remove a prefix. */
function pathIn(url = ''): string {
  return url.slice(url.lastIndexOf('/'))
}

async function textOf(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > MAX_BYTES) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
