import { AsyncLocalStorage } from 'node:async_hooks'
import { isIPv6 } from 'node:net'

const addresses = new AsyncLocalStorage<string | undefined>()

/**
 * Runs work for a request from an address. Headers are ignored, because any client can forge them.
 */
export function fromAddress<T>(address: string | undefined, work: () => T): T {
  return addresses.run(address, work)
}

/**
 * The address that the current request came from, or `this process` if it came over no connection.
 */
export function currentSource(): string {
  return identifyClient(addresses.getStore())
}

/**
 * The part of an address that identifies one client: a whole IPv4 address, or the 64-bit network of
 * an IPv6 address (RFC 6177, section 2), of which a client may have all addresses.
 */
export function identifyClient(address: string | undefined): string {
  if (address === undefined) return 'this process'

  // A zone after % names an interface of this machine.
  const withoutZone = address.replace(/%.*$/s, '')
  // An IPv4 address on a socket for both families, such as ::ffff:192.0.2.1.
  const [, mappedIPv4] = /^::ffff:([\d.]+)$/i.exec(withoutZone) ?? []
  if (mappedIPv4 !== undefined) return mappedIPv4
  if (isIPv6(withoutZone)) return readNetwork(withoutZone)
  return withoutZone
}

/** The network of an IPv6 address: the first four of its eight groups, such as `2001:db8:0:1`. */
function readNetwork(address: string): string {
  // The URL Standard writes an address in its shortest form.
  const shortest = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [before = '', after] = shortest.split('::')
  const first = parseGroups(before)
  if (after === undefined) return first.slice(0, 4).join(':')

  // `::` stands for as many zeros as are missing.
  const last = parseGroups(after)
  const zeros: string[] = Array(8 - first.length - last.length).fill('0')
  return [...first, ...zeros, ...last].slice(0, 4).join(':')
}

function parseGroups(text: string): string[] {
  return text === '' ? [] : text.split(':')
}
