import { Resolver } from 'node:dns/promises'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { isPublic } from './address.ts'
import { DeliveryFailure } from './outcome.ts'
import type { Target } from './url.ts'

/** An endpoint to connect to: an address that was checked, never a name. */
export interface Endpoint {
  address: string
  port: number
  /**
   * The name for SNI and certificate verification (RFC 6066, section 3). Undefined without TLS; ''
   * for an IP address.
   */
  servername?: string
}

/**
 * Opens a connection, with TLS if there is a `servername`. Emits `connect`, then `secureConnect`
 * with TLS.
 */
export type Open = (endpoint: Endpoint) => Socket

export interface DialOptions {
  lookup: Lookup
  open: Open
  /** Timeout for one address in milliseconds, if there are more to try. */
  attemptMs: number
  /** Aborts everything; {@link dial} throws its reason. */
  signal: AbortSignal
}

/**
 * Connects to a target. Only this function resolves the name. It checks every address and opens the
 * socket to the checked address itself, so DNS rebinding has no effect. If one address is not
 * public, all are refused.
 *
 * @throws {DeliveryFailure} `dns`, `target_not_allowed`, `reserved_name`, `refused`, `tls` and so
 *   on
 */
export async function dial(target: Target, options: DialOptions): Promise<Socket> {
  const addresses = await resolveAddresses(target, options)
  let lastFailure: unknown
  for (const address of addresses.slice(0, MAX_ADDRESSES)) {
    options.signal.throwIfAborted()
    try {
      const socket = options.open(createEndpoint(target.url, address))
      return await waitForConnection(socket, target.url, options)
    } catch (failure) {
      // A server with a wrong certificate was reached. Trying another address would only hide that.
      if (failure instanceof DeliveryFailure && failure.reason === 'tls') throw failure
      lastFailure = failure
    }
  }
  throw lastFailure
}

/**
 * Opens a TCP connection to an address; with TLS if there is a name, whose certificate is verified.
 * Only HTTP/1.1 is negotiated.
 */
export const openSocket: Open = ({ address: host, port, servername }) => {
  if (servername === undefined) return connectTcp({ host, port, noDelay: true })

  const socket = connectTls({
    host,
    port,
    servername,
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
  })
  return socket.setNoDelay()
}

/** A name may have many addresses. Four allow two of each family. */
const MAX_ADDRESSES = 4

/**
 * Returns the addresses to which a delivery may connect. A host that is a name is looked up; every
 * one of its addresses must be public, or all are refused.
 *
 * @throws {DeliveryFailure} if the host must not be reached, or its name does not resolve
 */
async function resolveAddresses(
  { host }: Target,
  options: DialOptions,
): Promise<readonly string[]> {
  if ('addresses' in host) return host.addresses

  if ('reserved' in host) {
    const detail = `${host.reserved} is reserved for documentation and tests`
    throw new DeliveryFailure('reserved_name', detail)
  }

  const { name } = host
  const addresses = await Promise.race([
    lookUpAddresses(name, options.lookup),
    aborted(options.signal),
  ])
  if (!addresses.every(isPublic)) {
    const detail = `${name} resolves to an address that is not public`
    throw new DeliveryFailure('target_not_allowed', detail)
  }
  return addresses
}

/**
 * Asks the DNS for the addresses of a name.
 *
 * @throws {DeliveryFailure} `dns` if it does not resolve, or has no address
 */
async function lookUpAddresses(name: string, lookup: Lookup): Promise<string[]> {
  let records: Awaited<ReturnType<Lookup>>
  try {
    records = await lookup(name)
  } catch (cause) {
    throw new DeliveryFailure('dns', `${name} did not resolve`, { cause })
  }

  if (records.length === 0) throw new DeliveryFailure('dns', `${name} has no address`)
  return records.map(({ address }) => address)
}

/** Rejects when the signal aborts: undici waits for its connector, and a lookup may never end. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/**
 * Where to open the socket: an address and the port of the URL. `servername` is the name whose
 * certificate is verified: empty for an address, and absent without TLS.
 */
function createEndpoint(url: URL, address: string): Endpoint {
  const isSecure = url.protocol === 'https:'
  const defaultPort = isSecure ? 443 : 80
  const port = Number(url.port || defaultPort)
  if (!isSecure) return { address, port }

  // An IPv6 address without its brackets.
  const name = url.hostname.replace(/^\[|\]$/g, '')
  return { address, port, servername: isIP(name) ? '' : name }
}

/**
 * Resolves with the socket when it is connected, with TLS for https. Rejects with a {@link
 * DeliveryFailure} if that fails, takes longer than `attemptMs`, or `signal` aborts.
 */
function waitForConnection(
  socket: Socket,
  url: URL,
  { signal, attemptMs }: DialOptions,
): Promise<Socket> {
  // `classifyError` passes on the failure with which the socket is destroyed.
  const slow = new DeliveryFailure('timeout', `no connection within ${attemptMs} ms`)
  const timer = setTimeout(() => socket.destroy(slow), attemptMs)
  const stop = () => socket.destroy(signal.reason)
  signal.addEventListener('abort', stop)

  const isSecure = url.protocol === 'https:'
  const connected = new Promise<Socket>((resolve, reject) => {
    // Between the TCP connection and the end of the TLS handshake.
    let isInHandshake = false
    socket.once('connect', () => {
      isInHandshake = isSecure
    })
    socket.once(isSecure ? 'secureConnect' : 'connect', () => resolve(socket))
    // Later errors are ignored: without a listener, they would end the process.
    socket.on('error', (error) => reject(classifyError(error, isInHandshake)))
    socket.once('close', () => reject(classifyError(undefined, isInHandshake)))
  })
  return connected.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  })
}

/**
 * Classifies a connection error: `ECONNREFUSED` as `refused`, for example. During the handshake,
 * everything except a reset is a TLS failure.
 *
 * @param cause undefined if the connection closed without an error, which is a reset
 */
function classifyError(
  cause: NodeJS.ErrnoException | undefined,
  isInHandshake: boolean,
): DeliveryFailure {
  if (cause instanceof DeliveryFailure) return cause

  const code = cause?.code ?? 'ECONNRESET'
  const failure = KNOWN_FAILURES[code]
  if (failure) return new DeliveryFailure(failure.reason, failure.detail, { cause })

  if (isInHandshake) return new DeliveryFailure('tls', `no secure connection (${code})`, { cause })
  return new DeliveryFailure('unreachable', `no connection (${code})`, { cause })
}

interface KnownFailure {
  readonly reason: 'refused' | 'reset' | 'timeout'
  readonly detail: string
}

const KNOWN_FAILURES: Partial<Record<string, KnownFailure>> = {
  ECONNREFUSED: { reason: 'refused', detail: 'the connection was refused' },
  ECONNRESET: { reason: 'reset', detail: 'the connection was reset while connecting' },
  EPIPE: { reason: 'reset', detail: 'the connection was reset while connecting' },
  ETIMEDOUT: { reason: 'timeout', detail: 'no connection in time' },
}

/**
 * Resolves a name to its addresses, like `dns.promises.lookup` with `all`; rejects if there are
 * none.
 */
export type Lookup = (name: string) => Promise<readonly { address: string }[]>

/**
 * Creates a function that asks the DNS for the A and AAAA records of a name. It avoids getaddrinfo
 * for two reasons. getaddrinfo blocks one of Node's four threads until the name servers respond, so
 * four slow names would stop all others. And it reads the hosts file of the machine, whose names
 * are private.
 *
 * @param options.servers name servers as `address:port`; default: those of the machine
 * @param options.timeoutMs how long one question waits, asked twice at most; default 2,000
 */
export function createLookup(
  options: { servers?: readonly string[]; timeoutMs?: number } = {},
): Lookup {
  const resolver = new Resolver({ timeout: options.timeoutMs ?? 2_000, tries: 2 })
  if (options.servers) resolver.setServers(options.servers)
  return async (name) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = [...readAddresses(four), ...readAddresses(six)]
    // A name with addresses of one family only has an error for the other.
    const hasFailed = addresses.length === 0 && four.status === 'rejected'
    if (hasFailed) throw four.reason
    return addresses.map((address) => ({ address }))
  }
}

function readAddresses(settled: PromiseSettledResult<string[]>): string[] {
  return settled.status === 'fulfilled' ? settled.value : []
}
