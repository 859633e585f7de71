import { Resolver } from 'node:dns/promises'

/** Gives the addresses behind a name, as `dns.promises.lookup` does with `all`; rejects when there are none. */
export type Lookup = (name: string) => Promise<readonly { address: string }[]>

/**
 * Makes a lookup that asks the DNS for A and AAAA records. Not getaddrinfo: that takes one of Node's four
 * threads until the servers of a name have answered, so that four slow names would stop every other; and it
 * reads the machine's own hosts file, whose names are private.
 *
 * @param options.servers name servers as `address:port`; default: those of the machine
 * @param options.timeoutMs how long one question waits, asked twice at most; default 2,000
 *
 * @example
 * const lookup = createLookup({ servers: ['127.0.0.1:5353'] })
 */
export function createLookup(options: { servers?: readonly string[]; timeoutMs?: number } = {}): Lookup {
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
