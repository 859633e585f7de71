/** An object or array of a document. */
export type Node = Readonly<Record<string, unknown>>

/** Whether a value is an object or array. */
export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null
}

/** An own property of a value; undefined if absent. */
export function at(value: unknown, key: string): unknown {
  return isNode(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** Quotes a value of the contract for a message. */
export function quoted(value: unknown): string {
  return JSON.stringify(value) ?? String(value)
}

/** The JSON Schema type of a value, with `number` for an integer; `undefined` for what is not JSON. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  return ['boolean', 'number', 'string', 'object'].includes(type) ? type : 'undefined'
}
