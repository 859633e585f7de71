import { isNode } from './json.ts'

/** Levels of lists and objects that a value may have: a schema that holds itself is followed no deeper. */
export const MAX_DEPTH = 64

/** Whether a value has more levels; one that holds itself does. */
export function isTooDeep(value: unknown, left = MAX_DEPTH): boolean {
  if (!isNode(value)) return false
  if (left === 0) return true
  for (const key in value) if (isTooDeep(value[key], left - 1)) return true
  return false
}
