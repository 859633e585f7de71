/** An object or array of a document. */
export type ObjectOrArray = Readonly<Record<string, unknown>>

/** Whether a value is an object or array. */
export function isObjectOrArray(value: unknown): value is ObjectOrArray {
  return typeof value === 'object' && value !== null
}

/** An own property of a value; undefined if absent. */
export function ownProperty(value: unknown, key: string): unknown {
  return isObjectOrArray(value) && Object.hasOwn(value, key) ? value[key] : undefined
}
