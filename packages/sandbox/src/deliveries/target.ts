import { setTimeout as wait } from 'node:timers/promises'
import { isPublic } from './address.ts'
import { createLookup, type Lookup } from './dial.ts'
import { publicOnly, readTarget, type TargetPolicy, type TargetRefusal } from './url.ts'

/** Options of {@link createTargetCheck}. */
export interface TargetCheckOptions extends TargetPolicy {
  /** Resolves names; default {@link createLookup}. */
  lookup?: Lookup
  /** Timeout for resolving a name in milliseconds; default 1,000. */
  lookupMs?: number
  /** How long a resolved name is cached, in milliseconds; default 5,000. */
  rememberMs?: number
  /** Maximum number of cached names; default 1,000. */
  max?: number
  /** A monotonic clock in milliseconds; default `performance.now`. */
  clock?: () => number
}

/** Checks the URL of a webhook; undefined if it is allowed. Never rejects. */
export type CheckTarget = (url: string) => Promise<TargetRefusal | undefined>

/**
 * Creates the check of a webhook URL at registration. It checks the URL first, then the addresses of its name; one
 * address that is not public refuses it. A name that does not resolve in time is accepted, because the receiver may not
 * exist yet and each delivery checks again when it connects.
 */
export function createTargetCheck(options: TargetCheckOptions = {}): CheckTarget {
  const { lookup = createLookup(), lookupMs = 1_000 } = options
  const isAllowed = remembering((name) => resolvesInPublic(name, lookup, lookupMs), options)
  return async (url) => {
    const target = readTarget(url, options)
    if ('detail' in target) return target
    if (!('name' in target.host) || (await isAllowed(target.host.name))) return undefined
    return { detail: publicOnly }
  }
}

async function resolvesInPublic(name: string, lookup: Lookup, lookupMs: number): Promise<boolean> {
  const late = new AbortController()
  try {
    const found = await Promise.race([lookup(name), wait(lookupMs, [], { signal: late.signal })])
    return found.every(({ address }) => isPublic(address))
  } catch {
    return true
  } finally {
    late.abort()
  }
}

/** Caches verdicts, dropping the oldest first. Concurrent checks of a name share one lookup. */
function remembering(judge: (name: string) => Promise<boolean>, options: TargetCheckOptions) {
  const { rememberMs = 5_000, max = 1_000, clock = () => performance.now() } = options
  const known = new Map<string, { verdict: Promise<boolean>; until: number }>()
  return (name: string): Promise<boolean> => {
    const entry = known.get(name)
    if (entry && clock() < entry.until) return entry.verdict
    known.delete(name)
    const verdict = judge(name)
    known.set(name, { verdict, until: clock() + rememberMs })
    for (const oldest of known.keys()) {
      if (known.size <= max) break
      known.delete(oldest)
    }
    return verdict
  }
}
