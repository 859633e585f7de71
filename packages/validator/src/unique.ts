import { isNode } from './json.ts'

/** Whether no two values of a list are equal (JSON Schema Core, section 4.2.2), in time that grows with its size alone. */
export function areUnique(values: readonly unknown[]): boolean {
  return new Set(values.map(canonical)).size === values.length
}

/** A text that equal values share, whatever the order of their members. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (!isNode(value)) return JSON.stringify(value) ?? String(value)
  const members = Object.keys(value).sort()
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`
}
