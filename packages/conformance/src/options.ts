import { isObject } from './contract/json.ts'
import { parseScheme } from './form/signatures.ts'
import { plans } from './plans/index.ts'
import type { RequestValues } from './plans/plan.ts'
import { readSubject } from './report/result.ts'
import { rules } from './rules/index.ts'
import type { Access } from './send/credentials.ts'
import type { GuardOptions } from './send/guard.ts'
import type { Transport } from './send/transport.ts'

/** Options of `check`. */
export interface CheckOptions extends Partial<Omit<GuardOptions, 'named'>> {
  /** Base URL of the service. */
  readonly url: string
  /** A changed copy of the contract, bundled. Default: the partner payments contract. */
  readonly contract?: object
  /**
   * Default: `live`. A live service is paid nothing, and only records that the run created are
   * changed.
   */
  readonly target?: GuardOptions['target']
  /**
   * Whether a sandbox or a mock may be on another machine than this one (localhost, 127.0.0.0/8 or
   * ::1). Default: false.
   */
  readonly allowRemoteSandbox?: boolean
  /**
   * Whether a service of your own moves no real money, and its data may be thrown away. Then a
   * `target` of `sandbox` or `mock` is not asked whether it is one. Default: false.
   */
  readonly isDisposable?: boolean
  /** Default: none. */
  readonly credentials?: Access
  /** Credentials of a second partner, who must not see the records of the first. */
  readonly other?: Access
  /**
   * Ids of rules or of plans, or the first word of rules. A rule is run with the plans that want
   * it. Default: all.
   */
  readonly only?: readonly string[]
  /** OperationIds whose findings are reported. Default: all. */
  readonly operations?: readonly string[]
  /** Default: 1. */
  readonly seed?: number
  /**
   * Values for requests, such as a key that the service knows, by operationId and pointer; or how the
   * service writes what the contract assumes: `{ list: { '/next': '/cursor' } }`, or
   * `{ webhook: { '/status/inactive': 'disabled' } }`.
   */
  readonly values?: RequestValues
  /**
   * How the service signs deliveries, where it is none of the usual schemes: the header and what it
   * holds, such as `x-signature: sha256=hex`. Default: the usual schemes are tried.
   */
  readonly signature?: string
  /** Milliseconds for random cases, of which there are 30 at most. Default: 20,000. */
  readonly timeMs?: number
  /** Requests per second. Default: 10 on a live service, any number on others. */
  readonly rate?: number
  /** Milliseconds that a response may take. Default: any number. */
  readonly responseWithinMs?: number
  /** Whether nobody else writes to the service. Default: for a sandbox. */
  readonly isComplete?: boolean
  /** URL at which the service reaches this machine with deliveries. A local sandbox needs none. */
  readonly receiverUrl?: string
  /** The local port that `receiverUrl` leads to. Default: the port in that URL. */
  readonly receiverPort?: number
  /** Milliseconds to wait for an expected delivery. Default: 8,000. */
  readonly deliveryWithinMs?: number
  /**
   * Sends the requests, instead of HTTP to `url`: for example, to a service in the same process.
   */
  readonly transport?: Transport
  /** Ends the run; what it has created is still removed. */
  readonly signal?: AbortSignal
  /** Called before each plan. */
  readonly onProgress?: (progress: Progress) => void
}

/** The progress of a run. */
export interface Progress {
  /** The id of the plan that begins. */
  readonly plan: string
  /** Its number, from 1. */
  readonly number: number
  readonly plans: number
  readonly requests: number
  readonly findings: number
}

/** Options of all sources that record the traffic of others. */
export interface TrafficOptions extends Pick<CheckOptions, 'contract' | 'operations'> {
  /**
   * Base URL of the service. Requests elsewhere, or outside the paths of the contract, are not
   * judged. Default: the first server of the contract.
   */
  readonly baseUrl?: string
  /** Whether requests are judged too. Default: true. */
  readonly requests?: boolean
  /**
   * Whether the traffic has every request that the service got since its records were empty or
   * unknown. Then a change of a record without a request is a finding. Default: false.
   */
  readonly isComplete?: boolean
  /** Ids of rules, or their first words. Default: all. */
  readonly only?: readonly string[]
}

/** What an option must be, in words and as a test. */
type Expected = readonly [validValue: string, isValid: (value: unknown) => boolean]

/** What each option of a function must be. The compiler reports a new option that is missing. */
type Expectations<Options> = Readonly<Record<keyof Options, Expected>>

/**
 * Validates the options of a function at run time, for callers without TypeScript. A misspelt
 * option would be ignored.
 *
 * @throws {TypeError} if one is unknown or invalid
 */
export function validateOptions<Options extends object>(
  name: string,
  options: Options,
  expected: Expectations<Options>,
): void {
  for (const [option, value] of Object.entries(options)) {
    if (!Object.hasOwn(expected, option))
      throw new TypeError(
        `${name} has no option "${option}"; it has ${Object.keys(expected).join(', ')}`,
      )
    const [validValue, isValid] = expected[option as keyof Options]
    if (value !== undefined && !isValid(value))
      throw new TypeError(`${option} must be ${validValue}`)
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const hasTexts = (value: unknown, ...fields: readonly string[]) =>
  isObject(value) && fields.every((field) => isText(value[field]))

const BOOLEAN: Expected = ['a boolean', (value) => typeof value === 'boolean']
export const FUNCTION: Expected = ['a function', (value) => typeof value === 'function']
export const BASE_URL: Expected = [
  'a URL such as http://127.0.0.1:4020, without credentials, query and fragment',
  isBaseUrl,
]
const CREDENTIALS: Expected = [
  '{ clientKey, clientSecret } or { token }, each of them a string',
  (value) => hasTexts(value, 'clientKey', 'clientSecret') || hasTexts(value, 'token'),
]
const DOCUMENT: Expected = ['an object, a parsed OpenAPI document', isObject]

export const CHECK_OPTIONS: Expectations<CheckOptions> = {
  url: BASE_URL,
  contract: DOCUMENT,
  target: oneOf('mock', 'sandbox', 'live'),
  allowRemoteSandbox: BOOLEAN,
  isDisposable: BOOLEAN,
  credentials: CREDENTIALS,
  other: CREDENTIALS,
  only: listOf('rules, plans, or first words of rules', selectable()),
  operations: listOf('operationIds'),
  seed: between(0, 4_294_967_295, true),
  timeMs: between(0, 86_400_000),
  rate: between(0.1, 100_000),
  responseWithinMs: between(1, 3_600_000),
  allowPayments: [
    "{ maxAmount }, a string with two decimals above 0.00, such as '1.00'",
    (value) => isObject(value) && isAmount(value.maxAmount),
  ],
  receiverUrl: ['a URL of http or https', isHttp],
  receiverPort: between(1, 65_535, true),
  deliveryWithinMs: between(1, 3_600_000),
  isComplete: BOOLEAN,
  values: [
    '{ operation: { pointer: value } }',
    (value) => isObject(value) && Object.values(value).every(isObject),
  ],
  signature: [
    "a header and what it holds, such as 'x-signature: sha256=hex', with hex, base64 or base64url",
    (value) => typeof value === 'string' && parseScheme(value) !== undefined,
  ],
  transport: FUNCTION,
  // In test environments that replace the class, `instanceof` fails.
  signal: ['an AbortSignal', (value) => isObject(value) && 'aborted' in value],
  onProgress: FUNCTION,
}

export const TRAFFIC_OPTIONS: Expectations<TrafficOptions> = {
  contract: DOCUMENT,
  baseUrl: BASE_URL,
  requests: BOOLEAN,
  isComplete: BOOLEAN,
  only: listOf('rules'),
  operations: listOf('operationIds'),
}

/** The names that `only` may have. */
export function selectable(): string[] {
  const ruleIds = rules.map(({ id }) => id)
  const planIds = plans.map(({ id }) => id)
  return [...new Set([...ruleIds, ...ruleIds.map(readSubject), ...planIds])]
}

/** Whether a value is an amount above zero, with two decimals. */
function isAmount(value: unknown): boolean {
  return typeof value === 'string' && /^\d{1,9}\.\d{2}$/.test(value) && Number(value) > 0
}

function oneOf(...words: readonly string[]): Expected {
  return [words.join(', '), (value) => typeof value === 'string' && words.includes(value)]
}

/**
 * Expects a list of words, at least one. Returns the words for messages, and the test.
 *
 * @param words The words that it may have. Default: any.
 */
function listOf(what: string, words?: readonly string[]): Expected {
  function isAllowed(item: unknown): boolean {
    return words === undefined ? isText(item) : words.includes(String(item))
  }
  return [
    `a list of ${what}, at least one`,
    (value) => Array.isArray(value) && value.length > 0 && value.every(isAllowed),
  ]
}

/** Expects a number within two limits, both included. Returns the words for messages, and the test. */
export function between(min: number, max: number, isInteger = false): Expected {
  const kind = isInteger ? 'an integer' : 'a number'
  return [
    `${kind} from ${min} to ${max}`,
    (value) => {
      if (typeof value !== 'number') return false
      if (isInteger && !Number.isInteger(value)) return false
      return value >= min && value <= max
    },
  ]
}

function isHttp(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false
  const { protocol } = new URL(value)
  return protocol === 'http:' || protocol === 'https:'
}

/** Whether a value is a URL of HTTP without credentials, query and fragment. */
function isBaseUrl(value: unknown): boolean {
  if (!isHttp(value)) return false
  const { username, password, search, hash } = new URL(String(value))
  const hasCredentials = username !== '' || password !== ''
  return !hasCredentials && search === '' && hash === ''
}

/** The URL without a trailing slash. */
export function baseOf(url: string): string {
  return new URL(url).href.replace(/\/$/, '')
}
