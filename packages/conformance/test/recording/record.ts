import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import { type CheckOptions, check, createFetchTransport, type Finding } from '../../src/index.ts'
import type { Recorded } from '../../src/next/history.ts'
import { CREDENTIALS } from '../faulty/fixtures.ts'

type Transport = NonNullable<CheckOptions['transport']>
type Send = Transport['send']

interface Service {
  readonly fetch: (request: Request) => Promise<Response>
  close(): Promise<void>
}

/** A run of the checker, with all that it sent and received. */
export interface RecordedRun {
  readonly events: readonly Recorded[]
  readonly findings: readonly Finding[]
}

/** Runs the checker on a service of this process, records what happens, and closes the service. */
export async function recordRun(service: Service, options: Partial<CheckOptions> = {}): Promise<RecordedRun> {
  const events: Recorded[] = []
  const receiver = await recordDeliveries(events)
  const transport = createFetchTransport(service.fetch)
  try {
    const { findings } = await check({
      url: 'http://127.0.0.1',
      target: 'sandbox',
      seed: 1,
      timeMs: 300,
      deliveryWithinMs: 20_000,
      credentials: access('partner'),
      other: access('other'),
      receiverUrl: receiver.url,
      receiverPort: receiver.port,
      ...options,
      transport: { ...transport, send: (sent) => recorded(transport.send, events, sent) },
    })
    return { events, findings }
  } finally {
    await receiver.close()
    await service.close()
  }
}

function access(who: keyof typeof CREDENTIALS) {
  const [clientKey, clientSecret] = CREDENTIALS[who]
  return { clientKey, clientSecret }
}

/** Milliseconds since 1970, with fractions, which order events of one millisecond. */
function now(): number {
  return performance.timeOrigin + performance.now()
}

const CONTROL = '/_sandbox/'

async function recorded(send: Send, events: Recorded[], sent: Parameters<Send>[0]) {
  const sentAt = now()
  const response = await send(sent)
  const { status, headers, text } = response
  const { method, path, body } = sent
  const completeAt = now()
  if (path === `${CONTROL}clock` && status === 200)
    events.push({ type: 'clock', completeAt, now: Date.parse(JSON.parse(text).now) })
  else if (!path.startsWith(CONTROL))
    events.push({
      type: 'exchange',
      sentAt,
      completeAt,
      request: { method, path, headers: sent.headers, ...(body !== undefined && { body }) },
      ...(status !== 0 && { response: { status, headers, text } }),
    })
  return response
}

/** A server between the service and the receiver of the checker. */
async function recordDeliveries(events: Recorded[]) {
  const port = await freePort()
  const server = createServer(async (incoming, outgoing) => {
    const text = Buffer.concat(await incoming.toArray()).toString()
    const headers = sentHeaders(incoming.headers)
    const { method = 'POST', url = '/' } = incoming
    const forwarded = request(`http://127.0.0.1:${port}${url}`, {
      method: method as 'POST',
      headers,
      body: text,
    })
    const response = await forwarded.catch(() => undefined)
    const { statusCode: status = 0, headers: shown = {} } = response ?? {}
    await response?.body.dump()
    events.push({ type: 'delivery', completeAt: now(), url: `${base}${url}`, headers, text, status })
    if (response) outgoing.writeHead(status, shown.location ? { location: String(shown.location) } : {}).end()
    else outgoing.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: base,
    port,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Without those that describe one connection. */
function sentHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const all = Object.entries(headers).filter(
    ([name]) => !/^(host|connection|content-length|transfer-encoding)$/.test(name),
  )
  return Object.fromEntries(all.map(([name, value]) => [name, String(value)]))
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
