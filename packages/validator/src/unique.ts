import { isNode } from './json.ts'

/** Whether all values of an array are different (JSON Schema Core, section 4.2.2), in linear time. */
export function areUnique(values: readonly unknown[]): boolean {
  return new Set(values.map(canonical)).size === values.length
}

/** Serializes a value so that equal values give equal strings, whatever the order of properties. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (!isNode(value)) return JSON.stringify(value) ?? String(value)
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`
}
