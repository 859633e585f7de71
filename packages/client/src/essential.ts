import { kindOf, valueAt } from '@partner-payments/contract'
import type { EssentialType, Operation } from './operation.ts'

/**
 * Says which essential field a body lacks, such as `/id, got nothing`; `undefined` if it has all of
 * them. An essential field is one without which a program cannot go on, such as the id of a
 * payment.
 */
export function findMissingEssential(
  { essential = {} }: Operation,
  body: unknown,
): string | undefined {
  for (const [pointer, type] of Object.entries(essential)) {
    const value = valueAt(body, pointer)
    if (!isFilled(value, type)) return `${pointer}, got ${kindOf(value)}`
  }
  return undefined
}

/**
 * Whether a program can go on with the value, and the value can prove something: an id that is
 * `true` or a list names no transfer. A number may stand for a string, such as an amount.
 */
function isFilled(value: unknown, type: EssentialType): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'boolean') return typeof value === 'boolean'
  if (typeof value === 'string') return value !== ''
  return typeof value === 'number'
}
