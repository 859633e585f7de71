import { Resolver } from 'node:dns/promises'

/** Resolves a name to its addresses, like `dns.promises.lookup` with `all`; rejects if there are none. */
export type Lookup = (name: string) => Promise<readonly { address: string }[]>

/**
 * Creates a lookup that asks the DNS for A and AAAA records. It avoids getaddrinfo for two reasons: that blocks one of
 * Node's four threads until the name servers respond, so four slow names would stop all others; and it reads the hosts
 * file of the machine, whose names are private.
 *
 * @param options.servers name servers as `address:port`; default: those of the machine
 * @param options.timeoutMs how long one question waits, asked twice at most; default 2,000
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
