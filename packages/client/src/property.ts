/** Reads a property of a value of any type; `undefined` if it has none. */
export function readProperty(value: unknown, name: string): unknown {
  if (value === undefined || value === null) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}

/**
 * A property that is a string or a number, as text; empty for everything else. An object of JSON
 * may have a `toString` that is no function, and an array may be nested too deeply to be joined:
 * both throw if they are converted.
 */
export function readText(value: unknown, name: string): string {
  const property = readProperty(value, name)
  const isText = typeof property === 'string' || typeof property === 'number'
  return isText ? `${property}` : ''
}

/** Whether the value is a JSON object. */
export function isObject(data: unknown): data is object {
  return tagOf(data) === 'Object'
}

/** `Object`, `Array`, `Null`, `String`, … */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1)
}
