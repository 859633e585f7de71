import { setTimeout as wait } from 'node:timers/promises'
import { isPublic } from './address.ts'
import { createLookup, type Lookup } from './lookup.ts'
import { publicOnly, readTarget, type TargetPolicy, type TargetRefusal } from './url.ts'

/** How {@link createTargetCheck} judges. */
export interface TargetCheckOptions extends TargetPolicy {
  /** Resolves names; default {@link createLookup}. */
  lookup?: Lookup
  /** How long a name may take to resolve, in milliseconds; default 1,000. */
  lookupMs?: number
  /** How long a resolved name is remembered, in milliseconds; default 5,000. */
  rememberMs?: number
  /** How many names are remembered; default 1,000. */
  max?: number
  /** A monotonic clock in milliseconds; default `performance.now`. */
  clock?: () => number
}

/** Judges the URL of a webhook; undefined where it is allowed. Never rejects. */
export type CheckTarget = (url: string) => Promise<TargetRefusal | undefined>

/**
 * Makes the check of a webhook's URL at its registration: by the URL alone, then by what its name resolves
 * to, where any address that is not public refuses it. A name that does not resolve, or not in time, is no
 * refusal: a receiver may be registered before it is there, and each delivery is judged again when it connects.
 *
 * @example
 * const checkTarget = createTargetCheck({ allowLoopback: true })
 * console.log(await checkTarget('http://127.0.0.1:3000/pix')) // undefined
 * console.log(await checkTarget('https://10.0.0.1/pix'))
 * // { detail: '"url" must name a public host, not one of a private network.' }
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

/** Remembers verdicts, the oldest out first; those that come together share one question. */
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
