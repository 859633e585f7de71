import { refuseUnknown, requireDocument } from './known-options.ts'
import {
  BOUNDS,
  type Bounds,
  boundsInWords,
  isHttpUrl,
  isMaxAmount,
  isShard,
  isWithin,
  MAX_SHARDS,
  strayRule,
} from './option-rules.ts'
import type { CheckOptions } from './options.ts'
import type { Rule as CheckRule } from './rule.ts'

/** What an option has to be, in words, and whether it is. */
interface Rule {
  readonly expected: string
  readonly fits: (given: unknown) => boolean
  /** Whether what was given is kept out of the message. */
  readonly isSecret?: true
}

const isText = (given: unknown) => typeof given === 'string'
const isFunction = (given: unknown) => typeof given === 'function'
const has = (given: unknown, member: string, fits: (it: unknown) => boolean) =>
  typeof given === 'object' && given !== null && fits((given as Readonly<Record<string, unknown>>)[member])
const bounded = (bounds: Bounds): Rule => ({
  expected: boundsInWords(bounds),
  fits: (it) => isWithin(it, bounds),
})
const listOf = (what: string): Rule => ({
  expected: `a list of ${what}, one at least`,
  fits: (it) => Array.isArray(it) && it.length > 0 && it.every(isText),
})
const FUNCTION: Rule = { expected: 'a function', fits: isFunction }
const ACCESS: Rule = {
  expected: '{ clientKey, clientSecret } or { token }, each of them a text',
  fits: (it) => has(it, 'token', isText) || (has(it, 'clientKey', isText) && has(it, 'clientSecret', isText)),
  isSecret: true,
}

/** Every option of a run, and what it has to be where it is given. */
export const CHECK_OPTIONS: Readonly<Record<keyof CheckOptions, Rule>> = {
  url: { expected: 'the base URL of the service, a text', fits: isText, isSecret: true },
  contract: {
    expected: 'an object, a parsed OpenAPI document',
    fits: (it) => typeof it === 'object' && it !== null,
  },
  target: {
    expected: 'mock, sandbox or live',
    fits: (it) => isText(it) && ['mock', 'sandbox', 'live'].includes(String(it)),
  },
  credentials: ACCESS,
  other: ACCESS,
  strict: { expected: 'true or false', fits: (it) => typeof it === 'boolean' },
  seed: bounded(BOUNDS.seed),
  timeMs: bounded(BOUNDS.timeMs),
  only: listOf('ids of rules or phases'),
  operations: listOf('operationIds'),
  shard: { expected: `{ i, n }, part i of n, and n ${MAX_SHARDS} at most`, fits: isShard },
  allowPayments: {
    expected: '{ maxAmount }, a text with two decimals above 0.00',
    fits: (it) => has(it, 'maxAmount', isMaxAmount),
  },
  values: {
    expected: '{ operation: { pointer: value } }',
    fits: (it) => isOfObjects(it),
  },
  responseWithinMs: bounded(BOUNDS.responseWithinMs),
  deliveryWithinMs: bounded(BOUNDS.deliveryWithinMs),
  rate: bounded(BOUNDS.rate),
  receiverUrl: { expected: 'a URL of http or https', fits: isHttpUrl },
  receiverPort: bounded(BOUNDS.receiverPort),
  transport: {
    expected: '{ send, close }, both functions',
    fits: (it) => has(it, 'send', isFunction) && has(it, 'close', isFunction),
  },
  // Not by its class: an environment of tests may have one of its own.
  signal: { expected: 'an AbortSignal', fits: (it) => has(it, 'addEventListener', isFunction) },
  onReached: FUNCTION,
  onProgress: FUNCTION,
}

/**
 * Looks at the options of a run, which a program without types may have got wrong.
 *
 * @throws {TypeError} where one is unknown, or not what it must be
 */
export function checkOptions(options: CheckOptions, rules: readonly CheckRule[]): void {
  refuseUnknown('check', options, CHECK_OPTIONS)
  requireDocument(options.contract)
  for (const [name, { expected, fits, isSecret }] of Object.entries(CHECK_OPTIONS)) {
    const given = options[name as keyof CheckOptions]
    if (given === undefined && name !== 'url') continue
    if (!fits(given))
      throw new TypeError(`${name} must be ${expected}${isSecret ? '' : `, got ${shown(given)}`}`)
  }
  const stray = strayRule(rules, options.only ?? [])
  if (stray !== undefined) throw new TypeError(`only names "${stray}", which is neither a rule nor a phase`)
}

function isOfObjects(given: unknown): boolean {
  const isPlain = (it: unknown) => typeof it === 'object' && it !== null && !Array.isArray(it)
  return isPlain(given) && Object.values(given as object).every(isPlain)
}

/** Characters of a value that a message shows, at most. */
const SHOWN = 100

function shown(given: unknown): string {
  if (typeof given === 'number') return String(given)
  const text = typeof given === 'function' ? 'a function' : (JSON.stringify(given) ?? String(given))
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}
