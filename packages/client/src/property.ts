/** Reads a property of a value of any type; `undefined` if it has none. */
export function propertyOf(value: unknown, name: string): unknown {
  if (value === undefined || value === null) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}
