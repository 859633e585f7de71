import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

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
  readonly deliveries: readonly Delivery[]
  /** The first deliveries, once there are so many; fewer where they do not come in time. */
  wait(count: number, timeoutMs: number): Promise<readonly Delivery[]>
}

/** How a delivery is answered: with a status, perhaps later or with a place to go to, or not at all. */
export type Answer =
  | number
  | { readonly status: number; readonly location?: string; readonly afterMs?: number }
  | 'broken off'

export type Answering = (delivery: Delivery, count: number) => Answer

/** Receives what a service delivers while a run lasts. */
export interface Receiver {
  /** A new inbox. `answer` says how a delivery is answered; with 204 by default. */
  open(answer?: Answering): Inbox
  close(): Promise<void>
}

/** Bytes of a delivery, and deliveries of an inbox, at most. */
const MAX_BYTES = 262_144
const MAX_DELIVERIES = 1_000

interface Open {
  readonly deliveries: Delivery[]
  readonly answer: Answering
}

/** Listens on this machine; `publicUrl` is how the service reaches it, where that is another way. */
export async function startReceiver(publicUrl?: string): Promise<Receiver> {
  const inboxes = new Map<string, Open>()
  const server = createServer((request, response) => void receive(inboxes, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this kind.
  const base = publicUrl?.replace(/\/$/, '') ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    open(answer = () => 204) {
      const path = `/${randomUUID()}`
      const deliveries: Delivery[] = []
      inboxes.set(path, { deliveries, answer })
      return {
        url: base + path,
        deliveries,
        wait: (count, timeoutMs) => arrived(deliveries, count, timeoutMs),
      }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function receive(
  inboxes: ReadonlyMap<string, Open>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const inbox = inboxes.get(request.url ?? '')
  const text = await textOf(request)
  if (!inbox || text === undefined || inbox.deliveries.length >= MAX_DELIVERIES)
    return void response.writeHead(404).end()
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  )
  const delivery = { headers, text, at: performance.now() }
  await answered(response, inbox.answer(delivery, inbox.deliveries.push(delivery)))
}

async function answered(response: ServerResponse, answer: Answer): Promise<void> {
  if (answer === 'broken off') return void response.destroy()
  const { status, location, afterMs = 0 } = typeof answer === 'number' ? { status: answer } : answer
  if (afterMs > 0) await new Promise((resolve) => setTimeout(resolve, afterMs))
  response.writeHead(status, location === undefined ? {} : { location }).end()
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

/** Milliseconds between looks. */
const LOOK = 20

async function arrived(
  deliveries: readonly Delivery[],
  count: number,
  timeoutMs: number,
): Promise<readonly Delivery[]> {
  const until = performance.now() + timeoutMs
  while (deliveries.length < count && performance.now() < until)
    await new Promise((resolve) => setTimeout(resolve, LOOK))
  return deliveries.slice(0, count)
}
