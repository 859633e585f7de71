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
    if (typeof value === 'string' && !/^\.{0,2}$/.test(value) && value.isWellFormed()) {
      return encodeURIComponent(value)
    }
    throw new ConfigError(
      `"${name}" must be a string other than "", "." and "..", got ${show(value)}`,
      operation,
    )
  })
}

/** Returns `?a=1&b=2`; leaves out absent values. */
export function queryOf(values: object | undefined): string {
  const present = Object.entries(values ?? {}).filter(([, value]) => value != null)
  const text = new URLSearchParams(present).toString()
  return text && `?${text}`
}
