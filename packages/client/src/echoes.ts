import { valueAt } from '@partner-payments/text'
import type { Operation } from './operation.ts'

/**
 * JSON pointer of the first response value that differs from the request; `undefined` if none
 * differs.
 */
export function mismatchOf(
  { echoes }: Operation,
  sent: unknown,
  shown: unknown,
): string | undefined {
  return echoes?.find(([from, to]) => differs(valueAt(sent, from), valueAt(shown, to)))?.[1]
}

/** Copies request values to where a success repeats them, for a fake service. */
export function mirror({ echoes = [] }: Operation, sent: unknown, shown: unknown): void {
  for (const [from, to] of echoes) {
    const value = valueAt(sent, from)
    const holder = valueAt(shown, to.replace(/\/\w+$/, '')) as Record<string, unknown> | undefined
    if (value !== undefined && holder) holder[to.slice(to.lastIndexOf('/') + 1)] = value
  }
}

/**
 * Whether two values certainly differ. Absent and masked values prove nothing. Amounts are compared
 * as numbers without a sign, or by their digits if the format differs. Keys and identifiers are
 * compared by letters and digits, so that a service may normalize them or drop a telephone prefix.
 */
function differs(sent: unknown, shown: unknown): boolean {
  if (!isScalar(sent) || !isScalar(shown)) return false
  const [a, b] = [`${sent}`, `${shown}`.replace(/^-/, '')]
  if (!b || /\*/.test(b)) return false
  if (DECIMAL.test(a) && DECIMAL.test(b))
    return a !== b && !(a.length < 16 && Number(a) === Number(b))
  const [x, y] = [plain(a), plain(b)]
  // Amounts must match completely: 0.50 is the end of 10.50.
  if (AMOUNT.test(a)) return x.replace(LEADING, '') !== y.replace(LEADING, '')
  return !x.endsWith(y) && !y.endsWith(x)
}

const DECIMAL = /^\d+(\.\d+)?$/
const AMOUNT = /^\d+\.\d+$/
const LEADING = /^\D*0*/

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function plain(value: string): string {
  return value.toLowerCase().replace(/[^a-z0-9]/g, '')
}
