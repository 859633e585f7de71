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
  const addresses = await addressesOf(target, options)
  let last: unknown
  for (const address of addresses.slice(0, mostTried)) {
    options.signal.throwIfAborted()
    try {
      return await connected(options.open(endpointOf(target.url, address)), target.url, options)
    } catch (failure) {
      // A server with a wrong certificate was reached. Trying another address would only hide that.
      if (failure instanceof DeliveryFailure && failure.reason === 'tls') throw failure
      last = failure
    }
  }
  throw last
}

/** Opens a TCP connection, and TLS if there is a name to verify. HTTP/1.1 only. */
export const openSocket: Open = ({ address: host, port, servername }) =>
  servername === undefined
    ? connectTcp({ host, port, noDelay: true })
    : connectTls({
        host,
        port,
        servername,
        ALPNProtocols: ['http/1.1'],
        rejectUnauthorized: true,
      }).setNoDelay()

/** A name may have many addresses. Four allow two of each family. */
const mostTried = 4

async function addressesOf({ host }: Target, options: DialOptions): Promise<readonly string[]> {
  if ('addresses' in host) return host.addresses
  if ('reserved' in host)
    throw new DeliveryFailure(
      'reserved_name',
      `${host.reserved} is reserved for documentation and tests`,
    )
  const addresses = await Promise.race([
    resolved(host.name, options.lookup),
    aborted(options.signal),
  ])
  if (addresses.every(isPublic)) return addresses
  throw new DeliveryFailure(
    'target_not_allowed',
    `${host.name} resolves to an address that is not public`,
  )
}

async function resolved(name: string, lookup: Lookup): Promise<string[]> {
  try {
    const found = await lookup(name)
    if (found.length > 0) return found.map(({ address }) => address)
  } catch (cause) {
    throw new DeliveryFailure('dns', `${name} did not resolve`, { cause })
  }
  throw new DeliveryFailure('dns', `${name} has no address`)
}

/** Rejects when the signal aborts: undici waits for its connector, and a lookup may never end. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function endpointOf(url: URL, address: string): Endpoint {
  const secure = url.protocol === 'https:'
  const port = Number(url.port || (secure ? 443 : 80))
  if (!secure) return { address, port }
  const name = url.hostname.replace(/^\[|\]$/g, '')
  return { address, port, servername: isIP(name) ? '' : name }
}

function connected(socket: Socket, url: URL, { signal, attemptMs }: DialOptions): Promise<Socket> {
  const secure = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    const slow = new DeliveryFailure('timeout', `no connection within ${attemptMs} ms`)
    const timer = setTimeout(() => socket.destroy(slow), attemptMs)
    const stop = () => socket.destroy(signal.reason)
    signal.addEventListener('abort', stop)
    const settle = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
    let handshake = false
    socket.once('connect', () => (handshake = secure))
    socket.once(secure ? 'secureConnect' : 'connect', () => resolve(socket))
    socket.on('error', (error) => reject(failureOf(error, handshake)))
    socket.once('close', () => reject(failureOf(undefined, handshake)))
    socket.once(secure ? 'secureConnect' : 'connect', settle).once('close', settle)
  })
}

/**
 * Classifies a connection error. During the handshake, everything except a reset is a TLS failure.
 */
function failureOf(cause: NodeJS.ErrnoException | undefined, handshake: boolean): DeliveryFailure {
  if (cause instanceof DeliveryFailure) return cause
  const code = cause?.code ?? 'ECONNRESET'
  const known = byCode[code]
  if (known) return new DeliveryFailure(known[0], known[1], { cause })
  if (handshake) return new DeliveryFailure('tls', `no secure connection (${code})`, { cause })
  return new DeliveryFailure('unreachable', `no connection (${code})`, { cause })
}

const byCode: Partial<Record<string, ['refused' | 'reset' | 'timeout', string]>> = {
  ECONNREFUSED: ['refused', 'the connection was refused'],
  ECONNRESET: ['reset', 'the connection was reset while connecting'],
  EPIPE: ['reset', 'the connection was reset while connecting'],
  ETIMEDOUT: ['timeout', 'no connection in time'],
}

/**
 * Resolves a name to its addresses, like `dns.promises.lookup` with `all`; rejects if there are
 * none.
 */
export type Lookup = (name: string) => Promise<readonly { address: string }[]>

/**
 * Creates a lookup that asks the DNS for A and AAAA records. It avoids getaddrinfo for two reasons:
 * that blocks one of Node's four threads until the name servers respond, so four slow names would
 * stop all others; and it reads the hosts file of the machine, whose names are private.
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
    const addresses = [...addressesIn(four), ...addressesIn(six)]
    if (addresses.length === 0 && four.status === 'rejected') throw four.reason
    return addresses.map((address) => ({ address }))
  }
}

function addressesIn(settled: PromiseSettledResult<string[]>): string[] {
  return settled.status === 'fulfilled' ? settled.value : []
}
