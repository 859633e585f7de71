import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HttpError, type Payments, type Webhook } from '@partner-payments/client'
import type { Values } from '@partner-payments/command'
import { isOnThisMachine, messageOf, visible, withoutPairs } from '@partner-payments/contract'
import { verify, WebhookError } from '@partner-payments/webhooks'
import { CliError, refuse } from './errors.ts'
import { callService, connect, readTarget, readUrl } from './service.ts'
import type { LISTEN } from './tables.ts'
import { report, visibleJson, write } from './terminal.ts'

type ListenFlags = Values<typeof LISTEN.options>

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

type Outcome = Pick<DeliveryReport, 'status' | 'error'>

/** Maximum size of a delivery. */
const MAX_BYTES = 1_000_000
/** Timeout of the receiver behind `--forward`. */
const FORWARD_MS = 15_000
/** The status of RFC 5842, section 7.2. */
const LOOP_DETECTED = 508
/** Characters of an unverified id to print. */
const MAX_ID = 100
/** Headers of one connection, which are not forwarded (RFC 9110, section 7.6.1). */
const OF_CONNECTION = [
  'host',
  'connection',
  'proxy-connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'expect',
]
/** The signals that end the command: Ctrl-C, `kill`, and a terminal that is closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Registers a webhook, prints its deliveries until the process gets a signal, and then removes the
 * webhook.
 */
export async function listenCommand(flags: ListenFlags): Promise<void> {
  const service = readTarget(flags.target)
  const forward = readForward(flags)
  requireReachable(service, flags)
  const payments = connect(flags)
  const ending = new AbortController()
  const secretKnown = Promise.withResolvers<string>()
  const receiver: Receiver = {
    // The secret of the webhook is known only after its registration, which takes the port of the
    // receiver.
    secret: secretKnown.promise,
    name: `listen-${crypto.randomUUID()}`,
    forward,
    json: flags.json ?? false,
    ending: ending.signal,
  }

  const server = await startReceiver(receiver, flags.port)
  // Registered before the webhook, so that a signal at any time removes it.
  const stopped = stopSignal()
  try {
    const { port } = server.address() as AddressInfo
    const webhook = await registerWebhook(payments, flags, port)
    secretKnown.resolve(webhook.secret)
    try {
      await stopped
    } finally {
      ending.abort(new Error('listen ended'))
      if (webhook.existing) report(describeStaying(webhook.existing))
      else await removeWebhook(payments, webhook.id, flags.target)
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/**
 * Registers the webhook at the service, and reports how to end. A service may return a webhook that the partner already
 * has, perhaps with the new URL. `listen` must not remove that one: it is returned as `existing`, as it was before.
 */
async function registerWebhook(payments: Payments, flags: ListenFlags, port: number) {
  const { target, type, showSecret } = flags
  const url = flags.url ?? `http://127.0.0.1:${port}/`
  const { data: registered } = await callService(target, payments.webhooks.list())
  const { id, secret } = await callService(target, payments.webhooks.create({ type, url }))
  const existing = registered.find((webhook) => webhook.id === id)
  const ending = existing ? 'It was registered before, and stays.' : 'Ctrl-C removes it.'
  report(`Listening on ${masked(url)} for ${target} (webhook ${visible(id)}). ${ending}`)
  if (showSecret) report(`Secret: ${visible(secret)}`)
  return { id, secret, existing }
}

/** Says that a webhook stays, and which URL it had: the service may have replaced it. */
function describeStaying({ id, url }: Pick<Webhook, 'id' | 'url'>): string {
  const had = `it was registered before, for ${visible(masked(String(url)))}`
  return `The webhook ${visible(id)} stays, since ${had}. Check its URL: it may have changed.`
}

/** The URL to send deliveries on to; undefined if they go nowhere. */
function readForward({ forward }: ListenFlags): string | undefined {
  if (forward === undefined) return undefined

  const { href, username, password } = readUrl(forward, '--forward')
  // `fetch` sends nothing to a URL with credentials, so each delivery would fail.
  if (username || password) refuse('--forward must be a URL without a user or a password.')
  return href
}

/**
 * Requires that the service can reach the receiver: it is on this machine, or `--url` names a
 * public address.
 *
 * @throws {UsageError} otherwise
 */
function requireReachable(service: URL, { url }: ListenFlags): void {
  if (url !== undefined) {
    readUrl(url, '--url')
    return
  }

  if (isOnThisMachine(service.hostname)) return
  refuse(
    `${service.host} cannot reach this machine: set --url to a public URL that forwards to --port.`,
  )
}

/** Deletes the webhook, and reports that. Throws that it is still registered if that fails. */
async function removeWebhook(payments: Payments, id: string, target: string): Promise<void> {
  const consequence = `The webhook ${visible(id)} is still registered at ${target}`
  const isRemoved = await callService(consequence, deleteWebhook(payments, id))
  if (isRemoved) report(`Removed webhook ${visible(id)}.`)
  else report(`The service has no webhook ${visible(id)} any more.`)
}

/** Deletes a webhook. Returns false if the service says that it has none, such as after a restart. */
async function deleteWebhook(payments: Payments, id: string): Promise<boolean> {
  try {
    await payments.webhooks.delete(id)
    return true
  } catch (error) {
    const isGone = error instanceof HttpError && error.isRefusal && error.status === 404
    if (isGone) return false
    throw error
  }
}

interface Receiver {
  /** Resolves when the webhook is registered. A delivery that comes earlier waits for it. */
  readonly secret: Promise<string>
  /** Names this process in the header `via`. */
  readonly name: string
  readonly forward: string | undefined
  readonly json: boolean
  /** Aborts what is in flight when the command ends. */
  readonly ending: AbortSignal
}

/**
 * Starts the server that receives deliveries, on this machine only. Throws a CliError if the port
 * is in use.
 */
async function startReceiver(receiver: Receiver, port: number): Promise<Server> {
  const server = createServer(async (request, response) => {
    const status = await receive(receiver, request).catch((error: Error) => {
      report(`A request was not a delivery: ${messageOf(error)}.`)
      return 400
    })
    response.writeHead(status).end()
  })
  server.requestTimeout = FORWARD_MS
  server.listen(port, '127.0.0.1')

  try {
    await once(server, 'listening')
  } catch (cause) {
    const { message } = cause as Error
    throw new CliError(`Cannot listen on port ${port}: ${message}. Choose another with --port.`, {
      cause,
    })
  }
  return server
}

/**
 * Handles one delivery: verifies it, forwards it if there is a URL for that, and prints a line
 * about it. Returns the status to respond with, which tells the service whether to send it again.
 */
async function receive(receiver: Receiver, request: IncomingMessage): Promise<number> {
  const start = performance.now()
  const body = await readBytes(request)
  const headers = request.headers as Record<string, string>
  const hasComeBack = headers.via?.includes(receiver.name) ?? false
  if (hasComeBack) {
    report('A delivery came back: --forward leads to this command. Name the URL of your receiver.')
    return LOOP_DETECTED
  }

  const { event, signature, isVerified } = await verifyDelivery(receiver, body, headers)

  const { forward, ending } = receiver
  let outcome: Outcome = { status: isVerified ? 204 : 400 }
  if (forward !== undefined) {
    const forwardedHeaders = headersToForward(receiver, headers)
    outcome = await forwardDelivery(forward, body, { headers: forwardedHeaders, ending })
  }

  const printed: DeliveryReport = {
    event,
    id: headers['webhook-id'] ?? '',
    signature,
    ms: Math.round(performance.now() - start),
    ...outcome,
  }
  write(receiver.json ? visibleJson(printed) : describeDelivery(receiver, printed))
  return outcome.status
}

/** The body of a request. Throws if it is larger than a delivery can be. */
async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * Verifies the signature of a delivery. Returns the name of its event, and `verified` or the code
 * of the error.
 */
async function verifyDelivery({ secret }: Receiver, body: Buffer, headers: Record<string, string>) {
  try {
    const { type } = await verify(body, headers, await secret)
    const event = typeof type === 'string' ? type : 'unknown'
    return { event, signature: 'verified', isVerified: true }
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    return { event: 'unknown', signature: error.code, isVerified: false }
  }
}

/**
 * Sends the same bytes and headers on to a URL. Returns the status to respond with: that of the
 * receiver behind the URL, or 502 if it does not respond, so that the service tries again.
 */
async function forwardDelivery(
  url: string,
  body: Buffer,
  { headers, ending }: { readonly headers: Record<string, string>; readonly ending: AbortSignal },
): Promise<Outcome> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.any([ending, AbortSignal.timeout(FORWARD_MS)]),
    })
    await response.body?.cancel()
    return { status: response.status }
  } catch (error) {
    const { cause, message } = error as Error
    // The message may have the URL.
    return { status: 502, error: masked(cause instanceof Error ? cause.message : message) }
  }
}

/**
 * The headers of a delivery to send on with it, without those of its connection. `via` lists the
 * programs that sent it on, such as `1.1 listen-5f0c`, so that {@link receive} notices a delivery
 * that comes back (RFC 9110, section 7.6.3).
 */
function headersToForward({ name }: Receiver, headers: Record<string, string>) {
  const { connection = '', via: earlierHops } = headers
  const namedByConnection = connection.toLowerCase().split(/[\s,]+/)
  const leftOut = new Set([...OF_CONNECTION, ...namedByConnection])
  const forwarded: Record<string, string> = {}
  for (const [header, value] of Object.entries(headers))
    if (!leftOut.has(header)) forwarded[header] = value

  const hop = `1.1 ${name}`
  forwarded.via = earlierHops ? `${earlierHops}, ${hop}` : hop
  return forwarded
}

/** A URL as logs may show it: without passwords and the secrets in its query. */
function masked(text: string): string {
  return withoutPairs(text, '***')
}

/**
 * The line about a delivery, such as
 * `qrcode.paid  msg_2N8b  verified  204 from http://localhost:3000/ in 12 ms`.
 */
function describeDelivery({ forward }: Receiver, printed: DeliveryReport): string {
  const { status, ms, error } = printed
  const where = forward === undefined ? '' : ` from ${masked(forward)}`
  const detail = error ? ` (${visible(error)})` : ''
  return `${describeSubject(printed)}  ${status}${where} in ${ms} ms${detail}`
}

/** Anyone can send an unverified id, so it is quoted and comes after the reason. */
function describeSubject({ event, id, signature }: DeliveryReport): string {
  if (signature === 'verified') return `${visible(event)}  ${visible(id)}  verified`
  const quotedId = JSON.stringify(id.slice(0, MAX_ID))
  return `not verified (${signature}): webhook-id ${visible(quotedId)}`
}

/** Resolves at the first signal. A second signal, of any kind, ends the process at once. */
async function stopSignal(): Promise<void> {
  const waiting = new AbortController()
  const { signal } = waiting
  await Promise.race(SIGNALS.map((name) => once(process, name, { signal })))
  // Without a listener, a signal ends the process.
  waiting.abort()
}
