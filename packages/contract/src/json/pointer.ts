/**
 * Appends a segment to a JSON pointer (RFC 6901, section 3).
 *
 * @example
 * pointerOf('/paths', '/pix/key') // '/paths/~1pix~1key'
 */
export function pointerOf(pointer: string, key: string): string {
  return `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/**
 * The unescaped segments of a JSON pointer (RFC 6901, section 4), such as that of a finding, or of
 * a URI fragment such as `#/paths` (section 6).
 *
 * @example
 * stepsOf('/paths/~1pix~1key') // ['paths', '/pix/key']
 */
export function stepsOf(pointer: string): string[] {
  const isFragment = pointer.startsWith('#')
  const plain = isFragment ? decodeURIComponent(pointer) : pointer
  const steps = plain.split('/').slice(1)
  // Most pointers have no escape, and this runs for each value that a rule reads.
  return plain.includes('~') ? steps.map(unescaped) : steps
}

/** `~1` first: the other order would read `~01` as a slash (RFC 6901, section 4). */
function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}

/**
 * The value at a JSON pointer, such as `/payer/name`; undefined if there is none. Inherited
 * properties do not count.
 */
export function valueAt(root: unknown, pointer: string): unknown {
  let value = root
  for (const step of stepsOf(pointer)) {
    if (typeof value !== 'object' || value === null) return undefined
    if (!hasOwn(value, step)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[step]
  }
  return value
}

/** `Object.hasOwn` of older browsers. */
function hasOwn(value: object, name: string): boolean {
  return Object.getOwnPropertyDescriptor(value, name) !== undefined
}
