import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { isPublic } from './address.ts'
import type { Lookup } from './lookup.ts'
import { DeliveryFailure } from './outcome.ts'
import type { Target } from './url.ts'

/** One end to connect to: an address that was judged, never a name. */
export interface Endpoint {
  /** An IPv4 or IPv6 address. */
  address: string
  port: number
  /** The name to ask for and to verify (RFC 6066, section 3); undefined without TLS; '' for an address. */
  servername?: string
}

/** Begins a connection: TLS where there is a `servername`. Emits `connect`, then `secureConnect` with TLS. */
export type Open = (endpoint: Endpoint) => Socket

/** What {@link dial} needs. */
export interface DialOptions {
  lookup: Lookup
  open: Open
  /** How long one address may take, in milliseconds, where there are more to try. */
  attemptMs: number
  /** Ends everything; its reason is what {@link dial} throws. */
  signal: AbortSignal
}

/**
 * Connects to a target. The name is resolved here and nowhere else, every address is judged, and the socket is
 * opened to the very address that was judged: a name that answers otherwise a moment later (rebinding) changes
 * nothing. One address that is not public refuses them all.
 *
 * @throws {DeliveryFailure} `dns`, `target_not_allowed`, `reserved_name`, `refused`, `tls` and so on
 *
 * @example
 * const options = { lookup: createLookup(), open: openSocket, attemptMs: 5_000 }
 * const target = readTarget('http://127.0.0.1:3000/pix', { allowLoopback: true })
 * if ('url' in target) await dial(target, { ...options, signal: AbortSignal.timeout(15_000) })
 */
export async function dial(target: Target, options: DialOptions): Promise<Socket> {
  const addresses = await addressesOf(target, options)
  let last: unknown
  for (const address of addresses.slice(0, mostTried)) {
    options.signal.throwIfAborted()
    try {
      return await connected(options.open(endpointOf(target.url, address)), target.url, options)
    } catch (failure) {
      // Whoever answered with a wrong certificate is there; another address would only hide it.
      if (failure instanceof DeliveryFailure && failure.reason === 'tls') throw failure
      last = failure
    }
  }
  throw last
}

/** Begins a connection by TCP, and TLS where there is a name to verify; HTTP/1.1 only. */
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

/** A name may have many addresses; one of each family and one of each to spare are enough. */
const mostTried = 4

async function addressesOf({ host }: Target, options: DialOptions): Promise<readonly string[]> {
  if ('addresses' in host) return host.addresses
  if ('reserved' in host) throw new DeliveryFailure('reserved_name', `nobody can be behind ${host.reserved}`)
  const addresses = await Promise.race([resolved(host.name, options.lookup), aborted(options.signal)])
  if (addresses.every(isPublic)) return addresses
  throw new DeliveryFailure('target_not_allowed', `${host.name} resolves to an address that is not public`)
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

/** Rejects when the signal aborts: undici waits for a connector to end, and a lookup may never. */
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

/** What an error of a connection means; in the handshake, all that is no reset is TLS. */
function failureOf(cause: NodeJS.ErrnoException | undefined, handshake: boolean): DeliveryFailure {
  if (cause instanceof DeliveryFailure) return cause
  const code = cause?.code ?? 'ECONNRESET'
  const known = byCode[code]
  if (known) return new DeliveryFailure(known[0], known[1], { cause })
  if (handshake) return new DeliveryFailure('tls', `no secure connection (${code})`, { cause })
  return new DeliveryFailure('unreachable', `no connection (${code})`, { cause })
}

const byCode: Partial<Record<string, ['refused' | 'reset' | 'timeout', string]>> = {
  ECONNREFUSED: ['refused', 'nothing listens there'],
  ECONNRESET: ['reset', 'the connection ended before it was made'],
  EPIPE: ['reset', 'the connection ended before it was made'],
  ETIMEDOUT: ['timeout', 'no connection in time'],
}
