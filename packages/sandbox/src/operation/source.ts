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
  return nameSource(addresses.getStore())
}

/**
 * The part of an address that identifies one client: a whole IPv4 address, or the 64-bit network of
 * an IPv6 address (RFC 6177, section 2).
 */
export function nameSource(address: string | undefined): string {
  if (address === undefined) return 'this process'

  // A zone after % names an interface of this machine.
  const [plain = ''] = address.split('%')
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(plain) ?? []
  if (mapped !== undefined) return mapped
  if (isIPv6(plain)) return nameNetwork(plain)
  return plain
}

/** The first four of the eight groups of an IPv6 address. */
function nameNetwork(address: string): string {
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
