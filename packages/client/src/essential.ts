import { kindOf, valueAt } from '@partner-payments/contract'
import type { Operation } from './operation.ts'

/**
 * Says which essential field a body lacks, such as `/id, got nothing`; `undefined` if it has all of
 * them.
 */
export function missingIn({ essential = [] }: Operation, body: unknown): string | undefined {
  for (const pointer of essential) {
    const value = valueAt(body, pointer)
    if (!isFilled(value)) return `${pointer}, got ${kindOf(value)}`
  }
  return undefined
}

/** Whether a program can go on with the value: not with nothing, an empty string or an object. */
function isFilled(value: unknown): boolean {
  if (typeof value === 'string') return value !== ''
  if (typeof value === 'number' || typeof value === 'boolean') return true
  return Array.isArray(value)
}
