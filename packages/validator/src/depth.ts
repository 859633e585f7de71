import { isNode } from './json.ts'

/** Levels of lists and objects that a value may have: a schema that holds itself is followed no deeper. */
export const MAX_DEPTH = 64

/** Whether a value has more levels; one that holds itself does. */
export function isTooDeep(value: unknown, left = MAX_DEPTH): boolean {
  if (!isNode(value)) return false
  if (left === 0) return true
  if (Array.isArray(value)) return value.some((item) => isNode(item) && isTooDeep(item, left - 1))
  // No list of the members is made: this looks at every message.
  for (const key in value) if (isNode(value[key]) && isTooDeep(value[key], left - 1)) return true
  return false
}
