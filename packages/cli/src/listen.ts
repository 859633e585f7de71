import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verify, WebhookError } from '@partner-payments/webhooks'
import { CliError, callService, connect, isLocal, type ServiceFlags, urlOf } from './service.ts'

export interface ListenFlags extends ServiceFlags {
  readonly forward?: string
  readonly url?: string
  readonly port: string
  readonly type: 'all' | 'transfer' | 'qrcode'
  readonly showSecret?: boolean
}

/** A delivery as it is printed, one object per line with `--json`. */
interface DeliveryReport {
  readonly event: string
  readonly id: string
  /** `verified`, or why the signature was not accepted. */
  readonly signature: string
  /** The status that the service received. */
  readonly status: number
  readonly ms: number
  readonly error?: string
}

/** Maximum size of a delivery in bytes, and timeout of the receiver behind `--forward` in milliseconds. */
const MAX_BYTES = 1_000_000
const FORWARD_MS = 15_000
/** Headers of one connection, which are not forwarded. */
const OF_CONNECTION = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'expect',
])

/** Registers a webhook and prints its deliveries until the process gets a signal; then removes the webhook. */
export async function listenCommand(flags: ListenFlags): Promise<void> {
  const target = urlOf(flags.target, '--target')
  const forward = flags.forward === undefined ? undefined : urlOf(flags.forward, '--forward').href
  if (flags.url === undefined && !isLocal(target))
    throw new CliError(
      `${target.host} cannot reach this machine: set --url to a public URL that forwards to --port.`,
    )
  const payments = connect(flags)
  const receiver: Receiver = { secret: '', forward, json: flags.json ?? false }
  const server = await startReceiver(receiver, flags.port)
  // Registered before the webhook, so that a signal at any time removes it.
  const stopped = stopSignal()
  try {
    const url = flags.url ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const { id, secret } = await callService(
      flags.target,
      payments.webhooks.create({ type: flags.type, url }),
    )
    receiver.secret = secret
    report(`Listening on ${url} for ${flags.target} (webhook ${id}). Ctrl-C removes it.`)
    if (flags.showSecret) report(`Secret: ${secret}`)
    try {
      await stopped
    } finally {
      await callService(
        `The webhook ${id} is still registered at ${flags.target}`,
        payments.webhooks.delete(id),
      )
      report(`Removed webhook ${id}.`)
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

interface Receiver {
  /** Empty until the webhook is registered. */
  secret: string
  readonly forward: string | undefined
  readonly json: boolean
}

async function startReceiver(receiver: Receiver, port: string): Promise<Server> {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new CliError(`--port must be a number from 0 to 65535, got "${port}".`)
  const server = createServer(async (request, response) => {
    const status = await receive(receiver, request).catch((error: Error) => {
      report(`A request was not a delivery: ${error.message}.`)
      return 400
    })
    response.writeHead(status).end()
  })
  server.requestTimeout = FORWARD_MS
  server.listen(Number(port), '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (cause) {
    const { message } = cause as Error
    throw new CliError(`Cannot listen on port ${port}: ${message}. Choose another with --port.`, { cause })
  }
  return server
}

async function receive(receiver: Receiver, request: IncomingMessage): Promise<number> {
  const start = performance.now()
  const body = await bytesOf(request)
  const headers = request.headers as Record<string, string>
  const { event, signature, isVerified } = await verifyDelivery(receiver, body, headers)
  const outcome =
    receiver.forward === undefined
      ? { status: isVerified ? 204 : 400 }
      : await forwardDelivery(receiver.forward, body, headers)
  const ms = Math.round(performance.now() - start)
  print(receiver, { event, id: headers['webhook-id'] ?? '', signature, ms, ...outcome })
  return outcome.status
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function verifyDelivery({ secret }: Receiver, body: Buffer, headers: Record<string, string>) {
  try {
    const { type } = await verify(body, headers, secret)
    return { event: String(type), signature: 'verified', isVerified: true }
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    return { event: 'unknown', signature: error.code, isVerified: false }
  }
}

/** Sends the same bytes and headers on. A receiver that does not respond is a 502, so that the service tries again. */
async function forwardDelivery(
  url: string,
  body: Buffer,
  headers: Record<string, string>,
): Promise<Pick<DeliveryReport, 'status' | 'error'>> {
  const forwarded = Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name))
  try {
    const init = {
      method: 'POST',
      headers: forwarded,
      body: new Uint8Array(body),
      redirect: 'manual',
    } as const
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(FORWARD_MS) })
    await response.body?.cancel()
    return { status: response.status }
  } catch (error) {
    const { cause, message } = error as Error
    return { status: 502, error: cause instanceof Error ? cause.message : message }
  }
}

function print({ json, forward }: Receiver, printed: DeliveryReport): void {
  const { event, id, signature, status, ms, error } = printed
  const where = forward === undefined ? '' : ` from ${forward}`
  const text = `${event}  ${id}  ${signature}  ${status}${where} in ${ms} ms${error ? ` (${error})` : ''}`
  process.stdout.write(`${json ? JSON.stringify(printed) : text}\n`)
}

/** Writes to stderr, since programs read the deliveries from stdout. */
function report(text: string): void {
  process.stderr.write(`${text}\n`)
}

function stopSignal(): Promise<unknown> {
  // A second signal ends the process at once.
  return Promise.race(['SIGINT', 'SIGTERM'].map((it) => once(process, it)))
}
