import { AsyncLocalStorage } from 'node:async_hooks'
import { isIPv4, isIPv6 } from 'node:net'

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
  return sourceOf(addresses.getStore())
}

/**
 * The part of an address that identifies one client: a whole IPv4 address, or the 64-bit network of
 * an IPv6 address (RFC 6177, section 2).
 */
export function sourceOf(address: string | undefined): string {
  if (address === undefined) return 'this process'
  const [plain = ''] = address.split('%')
  const mapped = /^::ffff:([\d.]+)$/i.exec(plain)?.[1]
  if (mapped !== undefined || isIPv4(plain)) return mapped ?? plain
  return isIPv6(plain) ? networkOf(plain) : plain
}

function networkOf(address: string): string {
  const [before = '', after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = before === '' ? [] : before.split(':')
  const missing =
    after === undefined ? 0 : 8 - groups.length - after.split(':').filter(Boolean).length
  return [...groups, ...Array(missing).fill('0'), ...(after?.split(':') ?? [])]
    .slice(0, 4)
    .join(':')
}
