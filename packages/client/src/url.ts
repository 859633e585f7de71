import { ConfigError, show } from './errors.ts'
import type { Operation } from './operation.ts'
import { isObject, tagOf } from './property.ts'

/**
 * Replaces the parameters of a path by their values: `/users/{user_id}` → `/users/u1`. Refuses an
 * empty value, `.` and `..`: they would address another path, and an empty webhook_id would turn a
 * deletion into a request on the list.
 *
 * @param read returns the value of a parameter
 */
export function fillPath(
  path: string,
  read: (name: string) => unknown,
  operation?: Operation,
): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = read(name)
    if (isPathValue(value)) return encodeURIComponent(value)
    // The message shows "", "." and "..", but no longer text.
    const mayBePersonal = typeof value === 'string' && value.length > 2
    const got = mayBePersonal ? 'one that is not well formed' : show(value)
    throw new ConfigError(
      `"${name}" must be a string other than "", "." and "..", got ${got}`,
      operation,
    )
  })
}

/** Whether a value stays one segment of the path after encoding. */
function isPathValue(value: unknown): value is string {
  if (typeof value !== 'string') return false

  // Encoding does not change them, and URLs resolve them to another path.
  if (value === '' || value === '.' || value === '..') return false

  return canEncode(value)
}

/**
 * Whether a text can be part of a URL: it has no lone surrogate, which is half of a character such as
 * an emoji that was cut in two. Some browsers in use, and React Native, lack `isWellFormed`.
 */
function canEncode(text: string): boolean {
  try {
    encodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/**
 * Returns the query of a URL, such as `?a=1&b=2`; empty if there is none. Leaves out absent values.
 * Does without URLSearchParams, which does not encode in React Native.
 */
export function serializeQuery(values: object | undefined, operation?: Operation): string {
  if (values === undefined || values === null) return ''
  if (!isObject(values)) {
    throw new ConfigError(`the query must be an object, got ${tagOf(values)}`, operation)
  }

  const present = Object.entries(values).filter(([, value]) => value != null)
  if (present.length === 0) return ''

  const pairs = present.map(([name, value]) => {
    const text = String(value)
    if (canEncode(text)) return `${encodeURIComponent(name)}=${encodeURIComponent(text)}`
    throw new ConfigError(`"${name}" must be a well-formed string`, operation)
  })
  return `?${pairs.join('&')}`
}
