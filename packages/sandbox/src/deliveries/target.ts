import { setTimeout as wait } from 'node:timers/promises'
import { isPublic } from './address.ts'
import { createLookup, type Lookup } from './dial.ts'
import { PUBLIC_ONLY, readTarget, type TargetPolicy } from './url.ts'

/**
 * Returns the function that checks the URL of a webhook when it is registered. It checks the URL
 * first, then the addresses of its name; one address that is not public refuses it. A name that
 * does not resolve in time is accepted, because the receiver may not exist yet and each delivery
 * checks again when it connects.
 */
export function createTargetCheck({
  lookup = createLookup(),
  ...policy
}: TargetPolicy & { readonly lookup?: Lookup } = {}) {
  /** Returns what was expected of the URL; undefined if it is allowed. Never rejects. */
  return async (url: string): Promise<{ detail: string } | undefined> => {
    const target = readTarget(url, policy)
    if ('detail' in target) return target

    // Addresses were checked with the URL, and a reserved name is never resolved.
    const { host } = target
    if (!('name' in host)) return undefined

    const isAllowed = await resolvesInPublic(host.name, lookup)
    return isAllowed ? undefined : { detail: PUBLIC_ONLY }
  }
}

/** Timeout for resolving a name in milliseconds. */
const LOOKUP_MS = 1_000

/** Whether all addresses of a name are public. True if it does not resolve in time. */
async function resolvesInPublic(name: string, lookup: Lookup): Promise<boolean> {
  const timeout = new AbortController()
  try {
    const addresses = await Promise.race([
      lookup(name),
      // No addresses, if the lookup takes too long.
      wait(LOOKUP_MS, [], { signal: timeout.signal }),
    ])
    return addresses.every(({ address }) => isPublic(address))
  } catch {
    return true
  } finally {
    timeout.abort()
  }
}
