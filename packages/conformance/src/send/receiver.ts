import { randomUUID } from 'node:crypto'
import { EventEmitter, on, once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { now, type RecordedDelivery } from '../history.ts'
import { CannotRun, noResponseReason, readBytes } from './transport.ts'

/**
 * What a receiver returns for a delivery: a status, with a delay or a redirect. Status 0 breaks off
 * the connection.
 */
export interface DeliveryResponse {
  readonly status: number
  readonly location?: string
  readonly afterMs?: number
}

/** Receives deliveries during a run. */
export type Receiver = Awaited<ReturnType<typeof startReceiver>>

type DeliveryTest = (delivery: RecordedDelivery) => boolean

/** An endpoint for one webhook. */
export interface Inbox {
  readonly url: string
  readonly deliveries: readonly RecordedDelivery[]
  /**
   * Waits until a delivery passes the test. Returns it; undefined if none does within the time of the
   * run.
   */
  waitFor(test: DeliveryTest): Promise<RecordedDelivery | undefined>
}

export interface ReceiverOptions {
  /**
   * URL at which the service reaches the receiver, if not 127.0.0.1. It then listens on all
   * interfaces.
   */
  readonly publicUrl?: string | undefined
  /** Default: the port in the public URL, otherwise a free one. */
  readonly port?: number | undefined
  /** Milliseconds to wait for a delivery that must arrive. Default: 8,000. */
  readonly timeoutMs?: number | undefined
  /** Receives each delivery. */
  readonly onDelivery: (delivery: RecordedDelivery) => void
  /** Ends all waits. */
  readonly signal: AbortSignal
}

/** Limits of one delivery, and of all that a run receives. */
const MAX_DELIVERY_BYTES = 262_144
const MAX_DELIVERIES = 10_000
const MAX_TOTAL_BYTES = 50_000_000
const DEFAULT_TIMEOUT_MS = 8_000

/** What an inbox returns for a delivery. */
type Respond = (delivery: RecordedDelivery) => DeliveryResponse

/**
 * Starts a receiver on this machine.
 *
 * @throws {CannotRun} if the port is not available, or the port behind a public URL is unknown
 */
export async function startReceiver(options: ReceiverOptions) {
  const { publicUrl, port, timeoutMs = DEFAULT_TIMEOUT_MS, onDelivery, signal } = options
  const inboxes = new Map<string, Respond>()
  let count = 0
  let bytes = 0

  /**
   * Handles a request to the receiver: finds the inbox whose id ends the path, lets it record the delivery,
   * and sends the response that it returns. Responds with 404 without such an inbox, or above the limits.
   */
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { path, id } = readInboxPath(request)
    const record = inboxes.get(id)
    const text = (await readBytes(request, MAX_DELIVERY_BYTES)).toString()
    const isAtLimit = count >= MAX_DELIVERIES || bytes + text.length > MAX_TOTAL_BYTES
    if (!record || isAtLimit) {
      response.writeHead(404).end()
      return
    }

    count++
    bytes += text.length
    const chosenResponse = record(createDelivery(base + path, request, text))
    await sendResponse(response, chosenResponse, signal)
  }

  const server = createServer((request, response) => {
    // A delivery that is cut off or too large does not count.
    receive(request, response).catch(() => response.destroy())
  })
  const host = publicUrl === undefined ? '127.0.0.1' : undefined
  await startListening(server, choosePort(publicUrl, port), {
    what: 'deliveries cannot be received',
    host,
  })
  const local = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const base = publicUrl?.replace(/\/$/, '') ?? local
  return {
    /** Base URL, without a trailing slash. */
    url: base,
    /**
     * Opens an inbox: a URL of its own, to which a webhook can deliver, and the list of what has arrived.
     *
     * @param respond Chooses the response to a delivery. Default: 204.
     */
    open(respond: Respond = () => ({ status: 204 })): Inbox {
      const id = randomUUID()
      const { inbox, add } = createInbox(`${base}/${id}`, { timeoutMs, signal })
      inboxes.set(id, (arrived) => {
        const response = respond(arrived)
        const delivery = { ...arrived, status: response.status }
        add(delivery)
        onDelivery(delivery)
        return response
      })
      return inbox
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The path below the base URL to which a request goes, and the id of an inbox in it. */
function readInboxPath({ url = '' }: IncomingMessage): { path: string; id: string } {
  // A tunnel may add a prefix to the path, or remove one.
  const [path = '', id = ''] = /\/([0-9a-f-]{36})(?:\?.*)?$/.exec(url) ?? []
  return { path, id }
}

/**
 * Creates an empty inbox, and the function that adds a delivery to it. `inbox.waitFor(test)` returns the first
 * delivery that passes the test, of those that arrived or are still to come; undefined after `timeoutMs`.
 */
function createInbox(
  url: string,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
) {
  const deliveries: RecordedDelivery[] = []
  const arrivals = new EventEmitter().setMaxListeners(0)

  function add(delivery: RecordedDelivery): void {
    deliveries.push(delivery)
    arrivals.emit('delivery', delivery)
  }

  async function waitFor(test: DeliveryTest): Promise<RecordedDelivery | undefined> {
    const earlier = deliveries.find(test)
    if (earlier) return earlier
    const ended = AbortSignal.any([AbortSignal.timeout(timeoutMs), signal])
    return waitForArrival(arrivals, test, ended)
  }

  const inbox: Inbox = { url, deliveries, waitFor }
  return { inbox, add }
}

/** Waits for a delivery that passes the test. Undefined if none does before the signal ends the wait. */
async function waitForArrival(
  arrivals: EventEmitter,
  test: DeliveryTest,
  ended: AbortSignal,
): Promise<RecordedDelivery | undefined> {
  try {
    for await (const [delivery] of on(arrivals, 'delivery', { signal: ended }))
      if (test(delivery)) return delivery
  } catch {
    // The wait has ended.
  }
  return undefined
}

/** Creates a delivery that has just arrived. Its status is not known yet: the inbox chooses it. */
function createDelivery(url: string, request: IncomingMessage, text: string): RecordedDelivery {
  const headers = readHeaders(request)
  return { type: 'delivery', completeAt: now(), url, headers, text, status: 0 }
}

function readHeaders({ headers }: IncomingMessage): Record<string, string> {
  const entries = Object.entries(headers)
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

/**
 * Chooses the port on which the receiver listens: the given one, else that of its public URL, else 0, which
 * takes a free one.
 *
 * @throws {CannotRun} if the public URL names no port, since it leads to an unknown one
 */
function choosePort(publicUrl: string | undefined, port: number | undefined): number {
  if (port !== undefined) return port
  if (publicUrl === undefined) return 0

  const portInUrl = Number(new URL(publicUrl).port)
  if (portInUrl > 0) return portInUrl
  throw new CannotRun(
    `the receiver URL ${publicUrl} has no port; give the local port that it leads to`,
  )
}

/**
 * Starts a server, and waits until it listens.
 *
 * @param what Names the server in the error, such as `the proxy`.
 * @throws {CannotRun} if the port is not available
 */
export async function startListening(
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

/**
 * Sends the response to a delivery that an inbox has chosen: after `afterMs`, if it has that. Status 0
 * breaks off the connection without a response.
 */
async function sendResponse(
  response: ServerResponse,
  { status, location, afterMs }: DeliveryResponse,
  signal: AbortSignal,
): Promise<void> {
  if (status === 0) {
    response.destroy()
    return
  }
  if (afterMs) await sleep(afterMs, undefined, { signal }).catch(() => undefined)
  response.writeHead(status, { ...(location !== undefined && { location }) }).end()
}
