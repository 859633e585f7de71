import type { CheckOptions } from './check-options.ts'
import { refuseUnknown, requireDocument } from './known-options.ts'
import { PHASES, type Rule } from './rule.ts'

export type Command = 'check' | 'har' | 'rules'

export interface Flag {
  readonly name: string
  /** The placeholder of the value in the help. A flag without one takes no value. */
  readonly value?: string
  /** Whether the flag can be repeated and takes several items, separated by commas. */
  readonly isList?: boolean
  readonly help: string
  /** For the help. */
  readonly default?: string
  /** Default: check alone. */
  readonly commands?: readonly Command[]
}

/** An option: what it expects, as text and as a test, and the flag that sets it. */
interface Option {
  readonly expected: string
  readonly isValid: (value: unknown) => boolean
  /** Messages do not show the value. */
  readonly isSecret?: true
  readonly flag?: Flag & {
    /** Parses the string, or the items of a list; undefined if it is invalid. */
    readonly read: (value: never) => unknown
    /** If the flag has another syntax than the option. */
    readonly expected?: string
  }
}

const isString = (value: unknown) => typeof value === 'string'
const isFunction = (value: unknown) => typeof value === 'function'
const has = (value: unknown, field: string, isValid: (it: unknown) => boolean) =>
  typeof value === 'object' && value !== null && isValid((value as Readonly<Record<string, unknown>>)[field])
const asIs = (text: string) => text
const toNumber = (text: string) => (/^\d{1,10}(\.\d{1,6})?$/.test(text) ? Number(text) : undefined)

const between = (min: number, max: number, what = 'a number') => ({
  expected: `${what} from ${min} to ${max}`,
  isValid: (it: unknown) =>
    typeof it === 'number' && it >= min && it <= max && (what === 'a number' || Number.isInteger(it)),
})
const INTEGER = 'an integer'
const listOf = (what: string) => ({
  expected: `a list of ${what}, at least one`,
  isValid: (it: unknown) => Array.isArray(it) && it.length > 0 && it.every(isString),
})
const FUNCTION = { expected: 'a function', isValid: isFunction }
const ACCESS = {
  expected: '{ clientKey, clientSecret } or { token }, each of them a string',
  isValid: (it: unknown) =>
    has(it, 'token', isString) || (has(it, 'clientKey', isString) && has(it, 'clientSecret', isString)),
  isSecret: true,
} as const
const MAX_SHARDS = 50

const STRING = { read: asIs } as const
const NUMBER = { read: toNumber } as const
const LIST = { isList: true, read: asIs } as const

/** Declares every option of a run once: what it expects, its flag, help, default and commands. */
export const CHECK_OPTIONS: Readonly<Record<keyof CheckOptions, Option>> = {
  url: {
    expected: 'the base URL of the service, a string',
    isValid: isString,
    isSecret: true,
    flag: {
      name: 'target',
      value: 'URL',
      help: 'base URL of the service',
      commands: ['check', 'har'],
      read: asIs,
    },
  },
  target: {
    expected: 'mock, sandbox or live',
    isValid: (it) => isString(it) && ['mock', 'sandbox', 'live'].includes(String(it)),
    flag: {
      name: 'kind',
      value: 'KIND',
      help: 'mock, sandbox or live; a live service pays nothing, and what is created there is removed',
      default: 'live',
      ...STRING,
    },
  },
  contract: {
    expected: 'an object, a parsed OpenAPI document',
    isValid: (it) => typeof it === 'object' && it !== null,
  },
  credentials: ACCESS,
  other: ACCESS,
  allowPayments: {
    expected: '{ maxAmount }, a string with two decimals above 0.00',
    isValid: (it) => has(it, 'maxAmount', isMaxAmount),
    flag: {
      name: 'allow-payments',
      value: 'AMOUNT',
      help: 'let a live service pay, at most this amount in one transfer',
      read: (maxAmount: string) => ({ maxAmount }),
      expected: 'an amount with two decimals above 0.00, such as 1.00',
    },
  },
  receiverUrl: {
    expected: 'a URL of http or https',
    isValid: isHttpUrl,
    flag: {
      name: 'receiver',
      value: 'URL',
      help: 'where the service reaches this machine with deliveries; a local sandbox needs none',
      ...STRING,
    },
  },
  receiverPort: {
    ...between(1, 65_535, INTEGER),
    flag: {
      name: 'receiver-port',
      value: 'PORT',
      help: 'the port of this machine that --receiver leads to',
      default: 'the one in the URL',
      ...NUMBER,
    },
  },
  deliveryWithinMs: {
    ...between(1, 3_600_000),
    flag: {
      name: 'delivery-within',
      value: 'MS',
      help: 'milliseconds to wait for an expected delivery',
      default: '8000',
      ...NUMBER,
    },
  },
  only: {
    ...listOf('ids of rules or phases'),
    flag: { name: 'only', value: 'RULE|PHASE,...', help: 'only these rules', ...LIST },
  },
  operations: {
    ...listOf('operationIds'),
    flag: {
      name: 'operation',
      value: 'ID,...',
      help: 'only these operations; others are used to prepare requests, and are not judged',
      ...LIST,
    },
  },
  shard: {
    expected: `{ i, n }, part i of n, and n at most ${MAX_SHARDS}`,
    isValid: (it) =>
      has(it, 'n', between(1, MAX_SHARDS, INTEGER).isValid) &&
      has(it, 'i', between(1, (it as { n: number }).n, INTEGER).isValid),
    flag: {
      name: 'shard',
      value: 'I/N',
      help: 'part I of N, for parallel jobs',
      read: (text: string) => {
        const [, i, n] = (/^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? []).map(Number)
        return { i, n }
      },
      expected: `I/N, part I of N, and N at most ${MAX_SHARDS}`,
    },
  },
  timeMs: {
    ...between(0, 86_400_000),
    flag: {
      name: 'time',
      value: 'SECONDS',
      help: 'time for random cases',
      default: '1',
      read: (text: string) => 1000 * (toNumber(text) ?? Number.NaN),
      expected: 'a number from 0 to 86400',
    },
  },
  seed: {
    ...between(0, 4_294_967_295, INTEGER),
    flag: {
      name: 'seed',
      value: 'N',
      help: 'the same seed generates the same cases',
      default: '1',
      ...NUMBER,
    },
  },
  rate: {
    ...between(0.1, 100_000),
    flag: {
      name: 'rate',
      value: 'N',
      help: 'requests per second at most',
      default: '10 for live, else unlimited',
      ...NUMBER,
    },
  },
  responseWithinMs: {
    ...between(1, 3_600_000),
    flag: {
      name: 'response-within',
      value: 'MS',
      help: 'a response that takes longer is a deviation',
      default: 'not checked',
      ...NUMBER,
    },
  },
  values: {
    expected: '{ operation: { pointer: value } }',
    isValid: isObjectOfObjects,
    flag: {
      name: 'set',
      value: 'OPERATION/POINTER=TEXT',
      isList: true,
      help: 'a value for requests, := for JSON: --set createTransfer/amount=0.02',
      read: valuesOf,
      expected: 'OPERATION/POINTER=TEXT or OPERATION/POINTER:=JSON',
    },
  },
  transport: {
    expected: '{ send, close }, both functions',
    isValid: (it) => has(it, 'send', isFunction) && has(it, 'close', isFunction),
  },
  // `instanceof` would fail in test environments that replace the class.
  signal: { expected: 'an AbortSignal', isValid: (it) => has(it, 'addEventListener', isFunction) },
  onReached: FUNCTION,
  onProgress: FUNCTION,
}

/**
 * Validates the options at run time, for callers without TypeScript.
 *
 * @throws {TypeError} if one is unknown or invalid
 */
export function validateOptions(options: CheckOptions, rules: readonly Rule[]): void {
  refuseUnknown('check', options, CHECK_OPTIONS)
  requireDocument(options.contract)
  for (const [name, { expected, isValid, isSecret }] of Object.entries(CHECK_OPTIONS)) {
    const value = options[name as keyof CheckOptions]
    if (value === undefined && name !== 'url') continue
    if (!isValid(value))
      throw new TypeError(`${name} must be ${expected}${isSecret ? '' : `, got ${preview(value)}`}`)
  }
  const unknown = unknownRule(rules, options.only ?? [])
  if (unknown !== undefined)
    throw new TypeError(`only names "${unknown}", which is neither a rule nor a phase`)
}

/** The first name that is neither a rule id nor a phase. */
export function unknownRule(rules: readonly Rule[], names: readonly string[]): string | undefined {
  const known = new Set<string>([...PHASES, ...rules.map(({ id }) => id)])
  return names.find((it) => !known.has(it))
}

function isMaxAmount(value: unknown): boolean {
  return typeof value === 'string' && /^\d{1,9}\.\d{2}$/.test(value) && /[1-9]/.test(value)
}

function isHttpUrl(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value) && /^https?:/.test(value)
}

/** Parses the items of `--set`; undefined if one is invalid. */
function valuesOf(value: readonly string[]): unknown {
  const values: Record<string, Record<string, unknown>> = Object.create(null)
  for (const it of value) {
    const [, operation = '', pointer = '', mark, text = ''] = /^([^/=]+)(\/[^=]*?)(:?=)(.*)$/s.exec(it) ?? []
    try {
      values[operation] = { ...values[operation], [pointer]: mark === '=' ? text : JSON.parse(text) }
    } catch {
      return undefined
    }
  }
  return values
}

function isObjectOfObjects(value: unknown): boolean {
  const isPlain = (it: unknown) => typeof it === 'object' && it !== null && !Array.isArray(it)
  return isPlain(value) && Object.values(value as object).every(isPlain)
}

const SHOWN = 100

function preview(value: unknown): string {
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value))
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}
