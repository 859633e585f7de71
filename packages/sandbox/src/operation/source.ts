import { AsyncLocalStorage } from 'node:async_hooks'
import { isIPv4, isIPv6 } from 'node:net'

const addresses = new AsyncLocalStorage<string | undefined>()

/** Does work for a request that came from an address. No header says which: anybody can send one. */
export function fromAddress<T>(address: string | undefined, work: () => T): T {
  return addresses.run(address, work)
}

/** Where the request came from that is being served: an address, or the process where it came over no connection. */
export function currentSource(): string {
  return sourceOf(addresses.getStore())
}

/** What one client has of the addresses there are: one of IPv4, a network of 64 bits of IPv6 (RFC 6177, section 2). */
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
  const missing = after === undefined ? 0 : 8 - groups.length - after.split(':').filter(Boolean).length
  return [...groups, ...Array(missing).fill('0'), ...(after?.split(':') ?? [])].slice(0, 4).join(':')
}
