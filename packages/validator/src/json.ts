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
