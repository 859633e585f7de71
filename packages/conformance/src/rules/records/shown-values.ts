import { isDeepStrictEqual } from 'node:util'
import { isAbsent } from '../../model/absent-values.ts'
import type { Contract } from '../../model/contract.ts'
import { dateTimesIn, isSameInstant } from '../../model/date-times.ts'
import { below, isObject, nodeOf } from '../../model/document.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { declaresField } from '../../model/schema-properties.ts'
import { scaledDecimal } from '../common/decimal.ts'

/** A request whose values a response must show. */
interface Sent {
  readonly contract: Contract
  readonly view: OperationView
  /** The operation of the response, if it is another one. */
  readonly shownBy?: OperationView | undefined
  readonly body: unknown
  /** Fields of the response that repeat another response, as spec/behaviour declares. */
  readonly copied?: readonly string[]
  /** What earlier requests set in the same record. */
  readonly earlier?: unknown
}

/**
 * The first value of a request that a response shows incorrectly: a field with another value, a field that is missing
 * from an object, or a word such as `null`. A response of another shape is not a fault.
 */
export function shownFault(
  { contract, view, shownBy = view, body, copied = [], earlier }: Sent,
  shown: unknown,
): string | undefined {
  const dateTimes = dateTimesIn(contract.document, view.bodyPointer, body)
  const isDeclared = (pointer: string) => declaresField(contract.document, shownBy, pointer)
  const field = faultIn(body, shown, { dateTimes, root: shown, copied, isDeclared, earlier })
  return field ?? emptyWordIn(shown, JSON.stringify([body, earlier]))
}

interface Compared {
  /** Strings of format date-time, which may have another notation. */
  readonly dateTimes: ReadonlySet<unknown>
  readonly root: unknown
  readonly copied: readonly string[]
  /** Whether responses of the operation declare a field. */
  readonly isDeclared: (pointer: string) => boolean
  readonly earlier: unknown
  readonly at?: string
}

function faultIn(sent: unknown, shown: unknown, compared: Compared): string | undefined {
  const { dateTimes, root, copied, isDeclared, at = '' } = compared
  for (const [name, value] of Object.entries(nodeOf(sent))) {
    const pointer = below(at, name)
    if (value === undefined || copied.some((it) => it.endsWith(pointer))) continue
    const [other] = at === '' ? placesOf(shown, name) : ownOf(shown, name)
    if (other === undefined) {
      // An object in the response has all its declared fields. The body of each operation may have a selection of fields.
      if (at !== '' && isDeclared(pointer) && !isShown(root, value))
        return `${pointer} of the request is gone`
    } else if (isObject(value) && isObject(other)) {
      const fault = faultIn(value, other, { ...compared, at: pointer })
      if (fault) return fault
    } else if (value === null ? isKept(compared, other) : isOtherValue(value, other, dateTimes))
      return `${pointer} has another value than in the request`
  }
  return undefined
}

/** Whether an update to null left a value as it was before. */
function isKept({ earlier }: Compared, other: unknown): boolean {
  return (
    typeof other === 'string' &&
    !isAbsent(other) &&
    JSON.stringify(earlier ?? '').includes(JSON.stringify(other))
  )
}

function isOtherValue(value: unknown, other: unknown, dateTimes: ReadonlySet<unknown>): boolean {
  return typeof value === typeof other && !isSameValue(value, other, dateTimes)
}

function ownOf(shown: unknown, name: string): unknown[] {
  return Object.hasOwn(nodeOf(shown), name) ? [nodeOf(shown)[name]] : []
}

/** A field of a response, or of an object in it: a service may nest its records. */
function placesOf(shown: unknown, name: string): unknown[] {
  const inside = Object.values(nodeOf(shown)).filter((it) => isObject(it) && !Array.isArray(it))
  return [...ownOf(shown, name), ...inside.flatMap((it) => ownOf(it, name))]
}

/** Whether a string is shown anywhere. */
function isShown(root: unknown, value: unknown): boolean {
  if (isObject(root)) return Object.values(root).some((it) => isShown(it, value))
  return typeof value === 'string' && value !== '' && root === value
}

const DECIMAL = /^\d+(\.\d+)?$/
export const EMAIL = /^[^\s@]+@[^\s@]+$/
/** A code without separators, longer than any amount. */
const CODE = /^[0-9A-Z]{11,}$/

/**
 * Whether a value is shown as it was sent. Other rules judge its form: an amount may lose trailing zeros, a date-time may
 * have another offset, a date may gain a time, a code may gain separators, an e-mail may be in lower case, a URL may be
 * normalized (RFC 3986, section 6.2), and a string may be trimmed.
 */
export function isSameValue(
  sent: unknown,
  shown: unknown,
  dateTimes: ReadonlySet<unknown> = new Set(),
): boolean {
  if (isDeepStrictEqual(sent, shown)) return true
  if (dateTimes.has(sent) && isSameInstant(sent, shown)) return true
  const [given, got] = [String(sent), String(shown)]
  if (/^\d{4}-\d\d-\d\d$/.test(given)) return got.startsWith(`${given}T`)
  if (CODE.test(given) && !DECIMAL.test(got) && got.replaceAll(/[ ./-]/g, '') === given) return true
  const decimals = [given, got].map((it) => (DECIMAL.test(it) ? scaledDecimal(it) : undefined))
  const isAmount = given.includes('.') || got.includes('.')
  if (isAmount && decimals[0] !== undefined && decimals[0] === decimals[1]) return true
  if (EMAIL.test(given)) return given.toLowerCase() === got.toLowerCase()
  if (URL.canParse(given) && URL.canParse(got)) return new URL(given).href === new URL(got).href
  return typeof sent === 'string' && typeof shown === 'string' && given.trim() === got.trim()
}

const EMPTY_WORDS = ['null', 'undefined', 'NaN', '[object Object]', 'None', 'nil']

/** A string such as `null` that the request did not contain. */
function emptyWordIn(shown: unknown, sent: string, at = ''): string | undefined {
  if (isObject(shown))
    return Object.entries(shown)
      .map(([name, it]) => emptyWordIn(it, sent, below(at, name)))
      .find((it) => it !== undefined)
  return EMPTY_WORDS.some((it) => it === shown && !sent.includes(`"${it}"`))
    ? `${at} is the word "${shown}"`
    : undefined
}
