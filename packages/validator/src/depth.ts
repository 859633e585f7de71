import { isNode } from './json.ts'

/** Maximum nesting of arrays and objects, which limits the validation of recursive schemas. */
export const MAX_DEPTH = 64

/** Whether a value exceeds the maximum nesting. True for a circular value. */
export function isTooDeep(value: unknown, left = MAX_DEPTH): boolean {
  if (!isNode(value)) return false
  if (left === 0) return true
  if (Array.isArray(value)) return value.some((item) => isNode(item) && isTooDeep(item, left - 1))
  // Iterates without creating an array, since this runs for every message.
  for (const key in value) if (isNode(value[key]) && isTooDeep(value[key], left - 1)) return true
  return false
}
