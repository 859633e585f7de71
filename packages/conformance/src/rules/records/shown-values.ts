import { isDeepStrictEqual } from 'node:util'
import type { Contract } from '../../model/contract.ts'
import { dateTimesIn, isSameInstant } from '../../model/date-times.ts'
import { below, nodeOf } from '../../model/document.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { scaledDecimal } from '../decimal.ts'

/** What was sent in a request, and what a response shows of it. */
interface Sent {
  readonly contract: Contract
  readonly view: OperationView
  readonly body: unknown
  /** Fields of the response that repeat another response, as spec/behaviour declares. */
  readonly copied?: readonly string[]
  /** What earlier requests set in the same record. */
  readonly earlier?: unknown
}

/**
 * What is wrong with the values that a response shows of a request: a field with another value, one that is gone from an
 * object that is shown, or the name of an empty value where nothing was sent. Another shape of the response is none.
 */
export function shownFault(
  { contract, view, body, copied = [], earlier }: Sent,
  shown: unknown,
): string | undefined {
  const moments = dateTimesIn(contract.document, view.bodyPointer, body)
  const field = faultIn(body, shown, { moments, root: shown, copied })
  return field ?? emptyWordIn(shown, JSON.stringify([body, earlier]))
}

interface Compared {
  /** Strings that the contract calls moments: they may be written otherwise. */
  readonly moments: ReadonlySet<unknown>
  readonly root: unknown
  readonly copied: readonly string[]
  readonly at?: string
}

function faultIn(sent: unknown, shown: unknown, compared: Compared): string | undefined {
  const { moments, root, copied, at = '' } = compared
  for (const [name, value] of Object.entries(nodeOf(sent))) {
    const pointer = below(at, name)
    if (value === undefined || copied.some((it) => it.endsWith(pointer))) continue
    const [other] = at === '' ? placesOf(shown, name) : ownOf(shown, name)
    if (other === undefined) {
      // Of an object that is shown every field is shown; of the whole, each operation shows its own.
      if (at !== '' && !isShown(root, value)) return `${pointer} of the request is gone`
    } else if (isObject(value) && isObject(other)) {
      const fault = faultIn(value, other, { ...compared, at: pointer })
      if (fault) return fault
    } else if (typeof value === typeof other && !isSameValue(value, other, moments))
      return `${pointer} has another value than in the request`
  }
  return undefined
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

/**
 * Whether a value is shown as it was sent. Amounts may lose zeros at their end, moments have another offset, days a time,
 * and strings lose spaces at both ends: their form has rules of its own.
 */
export function isSameValue(
  sent: unknown,
  shown: unknown,
  moments: ReadonlySet<unknown> = new Set(),
): boolean {
  if (isDeepStrictEqual(sent, shown)) return true
  if (moments.has(sent) && isSameInstant(sent, shown)) return true
  const [given, got] = [String(sent), String(shown)]
  if (/^\d{4}-\d\d-\d\d$/.test(given)) return got.startsWith(`${given}T`)
  const decimals = [given, got].map((it) => (/^\d+(\.\d+)?$/.test(it) ? scaledDecimal(it) : undefined))
  const isAmount = given.includes('.') || got.includes('.')
  if (isAmount && decimals[0] !== undefined && decimals[0] === decimals[1]) return true
  return typeof sent === 'string' && typeof shown === 'string' && given.trim() === got.trim()
}

const EMPTY_WORDS = ['null', 'undefined', 'NaN', '[object Object]', 'None', 'nil']

/** The name of an empty value, where nobody sent it. */
function emptyWordIn(shown: unknown, sent: string, at = ''): string | undefined {
  if (isObject(shown))
    return Object.entries(shown)
      .map(([name, it]) => emptyWordIn(it, sent, below(at, name)))
      .find((it) => it !== undefined)
  return EMPTY_WORDS.some((it) => it === shown && !sent.includes(it))
    ? `${at} is the word "${shown}"`
    : undefined
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
