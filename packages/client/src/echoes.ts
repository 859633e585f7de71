import { valueAt } from '@partner-payments/contract'
import type { Operation } from './operation.ts'

/**
 * JSON pointer of the first response value that differs from the request; `undefined` if none
 * differs.
 */
export function mismatchOf(
  { echoes = [] }: Operation,
  sent: unknown,
  shown: unknown,
): string | undefined {
  for (const [from, to] of echoes) {
    if (differs(valueAt(sent, from), valueAt(shown, to))) return to
  }
  return undefined
}

/** Copies request values to where a success repeats them, for a fake service. */
export function mirror({ echoes = [] }: Operation, sent: unknown, shown: unknown): void {
  for (const [from, to] of echoes) {
    const value = valueAt(sent, from)
    const { parent, name } = splitPointer(to)
    const holder = valueAt(shown, parent) as Record<string, unknown> | undefined
    if (value !== undefined && holder) holder[name] = value
  }
}

/** Splits a JSON pointer into that of the object, and the name of its field. */
function splitPointer(pointer: string) {
  const slash = pointer.lastIndexOf('/')
  return { parent: pointer.slice(0, slash), name: pointer.slice(slash + 1) }
}

/**
 * Whether two values certainly differ. Absent and masked values prove nothing. Amounts are compared
 * as numbers without a sign, or by their digits if the format differs. Keys and identifiers are
 * compared by letters and digits, so that a service may normalize them or drop a telephone prefix.
 */
function differs(sent: unknown, shown: unknown): boolean {
  if (!isScalar(sent) || !isScalar(shown)) return false

  const sentText = `${sent}`
  const shownText = `${shown}`.replace(/^-/, '')
  const isMasked = shownText.includes('*')
  if (!shownText || isMasked) return false

  if (DECIMAL.test(sentText) && DECIMAL.test(shownText)) return isOtherNumber(sentText, shownText)

  const sentPlain = plain(sentText)
  const shownPlain = plain(shownText)
  // Amounts must match completely: 0.50 is the end of 10.50.
  if (AMOUNT.test(sentText)) {
    return sentPlain.replace(LEADING, '') !== shownPlain.replace(LEADING, '')
  }

  const isEnd = sentPlain.endsWith(shownPlain) || shownPlain.endsWith(sentPlain)
  return !isEnd
}

const DECIMAL = /^\d+(\.\d+)?$/
const AMOUNT = /^\d+\.\d+$/
const LEADING = /^\D*0*/

/** From this length on, two different decimals may be the same floating-point number. */
const EXACT_LENGTH = 16

function isOtherNumber(sent: string, shown: string): boolean {
  if (sent === shown) return false
  if (sent.length >= EXACT_LENGTH) return true
  return Number(sent) !== Number(shown)
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function plain(value: string): string {
  return value.toLowerCase().replace(/[^a-z0-9]/g, '')
}
