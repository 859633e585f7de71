import { setTimeout as wait } from 'node:timers/promises'
import { isPublic } from './address.ts'
import { createLookup, type Lookup } from './dial.ts'
import { publicOnly, readTarget, type TargetPolicy } from './url.ts'

/**
 * Creates the check of a webhook URL at registration. It checks the URL first, then the addresses
 * of its name; one address that is not public refuses it. A name that does not resolve in time is
 * accepted, because the receiver may not exist yet and each delivery checks again when it connects.
 */
export function createTargetCheck({
  lookup = createLookup(),
  ...policy
}: TargetPolicy & { readonly lookup?: Lookup } = {}) {
  /** Returns undefined if the URL is allowed. Never rejects. */
  return async (url: string): Promise<{ detail: string } | undefined> => {
    const target = readTarget(url, policy)
    if ('detail' in target) return target
    const { host } = target
    if (!('name' in host) || (await resolvesInPublic(host.name, lookup))) return undefined
    return { detail: publicOnly }
  }
}

/** Timeout for resolving a name in milliseconds. */
const LOOKUP_MS = 1_000

async function resolvesInPublic(name: string, lookup: Lookup): Promise<boolean> {
  const late = new AbortController()
  try {
    const found = await Promise.race([lookup(name), wait(LOOKUP_MS, [], { signal: late.signal })])
    return found.every(({ address }) => isPublic(address))
  } catch {
    return true
  } finally {
    late.abort()
  }
}
