import { ConfigError, show } from './errors.ts'
import type { Operation } from './operation.ts'

/**
 * Fills the parameters of a path. Refuses an empty value, `.` and `..`: they would address another
 * path, and an empty webhook_id would turn a deletion into a request on the list.
 */
export function fillPath(
  path: string,
  read: (name: string) => unknown,
  operation?: Operation,
): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = read(name)
    if (isPathValue(value)) return encodeURIComponent(value)
    throw new ConfigError(
      `"${name}" must be a string other than "", "." and "..", got ${show(value)}`,
      operation,
    )
  })
}

/** Whether a value stays one segment of the path after encoding. */
function isPathValue(value: unknown): value is string {
  if (typeof value !== 'string') return false

  // Encoding does not change them, and URLs resolve them to another path.
  if (value === '' || value === '.' || value === '..') return false

  // encodeURIComponent throws for a lone surrogate.
  return value.isWellFormed()
}

/** Returns `?a=1&b=2`; leaves out absent values. */
export function queryOf(values: object | undefined): string {
  const present = Object.entries(values ?? {}).filter(([, value]) => value != null)
  if (present.length === 0) return ''
  return `?${new URLSearchParams(present)}`
}
