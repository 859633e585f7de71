import { currentId } from './aliases.ts'
import { PHASES, type Rule } from './rule.ts'

/** Numbers that may be given. */
export interface Bounds {
  readonly min: number
  readonly max: number
  /** Default: false. */
  readonly whole?: boolean
}

/** What numbers of a run may be, whether a program or the command gives them. */
export const BOUNDS = {
  seed: { min: 0, max: 4_294_967_295, whole: true },
  timeMs: { min: 0, max: 86_400_000 },
  rate: { min: 0.1, max: 100_000 },
  responseWithinMs: { min: 1, max: 3_600_000 },
  deliveryWithinMs: { min: 1, max: 3_600_000 },
  receiverPort: { min: 1, max: 65_535, whole: true },
} as const satisfies Readonly<Record<string, Bounds>>

export function isWithin(given: unknown, { min, max, whole = false }: Bounds): given is number {
  const isNumber = typeof given === 'number' && given >= min && given <= max
  return isNumber && (!whole || Number.isInteger(given))
}

/** What a number has to be, in words: `a whole number from 0 to 10`. */
export function boundsInWords({ min, max, whole = false }: Bounds): string {
  return `a ${whole ? 'whole ' : ''}number from ${min} to ${max}`
}

/** The first of some names that is neither the id of a rule nor a phase. */
export function strayRule(rules: readonly Rule[], names: readonly string[]): string | undefined {
  const known = new Set<string>([...PHASES, ...rules.map(({ id }) => id)])
  return names.find((it) => !known.has(currentId(it)))
}

/** Parts that the rules can be dealt out in. */
export const MAX_SHARDS = 50

/** Whether it is part `i` of `n`. */
export function isShard(given: unknown): given is { i: number; n: number } {
  const { i, n } = (given ?? {}) as { i?: unknown; n?: unknown }
  return isWithin(n, { min: 1, max: MAX_SHARDS, whole: true }) && isWithin(i, { min: 1, max: n, whole: true })
}

/** Whether it is the most that a transfer may move: an amount with two decimals, above nothing. */
export function isMaxAmount(given: unknown): given is string {
  return typeof given === 'string' && /^\d{1,9}\.\d{2}$/.test(given) && /[1-9]/.test(given)
}

/** Whether it is a URL at which somebody can be reached over HTTP. */
export function isHttpUrl(given: unknown): given is string {
  return typeof given === 'string' && URL.canParse(given) && /^https?:/.test(given)
}
