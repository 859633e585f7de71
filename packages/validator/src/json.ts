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
 * The unescaped segments of a JSON pointer (RFC 6901, section 4), such as that of a finding.
 *
 * @example
 * stepsOf('/paths/~1pix~1key') // ['paths', '/pix/key']
 */
export function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
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
