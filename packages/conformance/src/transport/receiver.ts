import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { CannotRun } from '../model/errors.ts'
import { noResponseReason } from './no-response-reason.ts'

/** A delivery as it arrived. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string>>
  /** The very text that was signed. */
  readonly text: string
  /** Milliseconds, by the clock of `performance`. */
  readonly at: number
}

/** A place that a webhook can point to. */
export interface Inbox {
  readonly url: string
  /** Milliseconds to wait for a delivery that has to come. */
  readonly timeoutMs: number
  readonly deliveries: readonly Delivery[]
}

/** How a delivery is answered: with a status, perhaps later or with a place to go to, or not at all. */
export type DeliveryResponse =
  | number
  | { readonly status: number; readonly location?: string; readonly afterMs?: number }
  | 'broken off'

export type RespondToDelivery = (delivery: Delivery, count: number) => DeliveryResponse

/** Receives what a service delivers while a run lasts. */
export interface Receiver {
  /** Where deliveries are to be sent; without a slash at its end. */
  readonly url: string
  /** Whether nobody knows yet if the service reaches it. */
  readonly isUntried: boolean
  /** A new inbox. `answer` says how a delivery is answered; with 204 by default. */
  open(respond?: RespondToDelivery): Inbox
  close(): Promise<void>
}

/** Bytes of a delivery, and deliveries of an inbox, at most. */
const MAX_BYTES = 262_144
const MAX_DELIVERIES = 1_000

interface OpenInbox {
  readonly deliveries: Delivery[]
  readonly respond: RespondToDelivery
}

export interface ReceiverOptions {
  /** How the service reaches it, where that is another way than by 127.0.0.1; then every interface is listened on. */
  readonly publicUrl?: string | undefined
  /** Default: that of the public URL, if it says one, else a free one. */
  readonly port?: number | undefined
  /** Milliseconds to wait for a delivery that has to come. Default: 8,000. */
  readonly timeoutMs?: number | undefined
}

/** A busy service, or a busy machine, takes its time. */
const DEFAULT_TIMEOUT_MS = 8_000

/**
 * Listens on this machine.
 *
 * @throws {CannotRun} where the port cannot be had, or where nobody says to which one a public URL leads
 */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { publicUrl, port, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const inboxes = new Map<string, OpenInbox>()
  const server = createServer((request, response) => {
    // Whoever goes away in the middle of a delivery has delivered nothing.
    receive(inboxes, request, response).catch(() => response.destroy())
  })
  await listening(server, portOf(publicUrl, port), publicUrl === undefined ? '127.0.0.1' : undefined)
  // A server that listens on a port has an address of this kind.
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
  throw new CannotRun(`nothing says which port of this machine ${publicUrl} leads to; give a receiver port`)
}

async function listening(server: Server, port: number, host: string | undefined): Promise<void> {
  try {
    server.listen({ port, ...(host !== undefined && { host }) })
    await once(server, 'listening')
    // What fails from now on concerns one connection, which is ended.
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

async function respondWith(response: ServerResponse, answer: DeliveryResponse): Promise<void> {
  if (answer === 'broken off') return void response.destroy()
  const { status, location, afterMs = 0 } = typeof answer === 'number' ? { status: answer } : answer
  if (afterMs > 0) await sleep(afterMs)
  response.writeHead(status, location === undefined ? {} : { location }).end()
}

/** The last step: a public URL may have some of its own before, which a tunnel keeps or takes away. */
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
