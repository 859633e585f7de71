/** An object or a list of a document, by its keys. */
export type Node = Readonly<Record<string, unknown>>

/** Whether a value has members or items. */
export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null
}

/** An own member of a value, undefined where it has none. */
export function at(value: unknown, key: string): unknown {
  return isNode(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** One step further down a JSON pointer (RFC 6901, section 3). */
export function pointerOf(pointer: string, key: string): string {
  return `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/**
 * The steps of a JSON pointer, unescaped (RFC 6901, section 4): what leads from a message, or a document, to the place
 * of a finding.
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

/** A text in quotes, as a message shows what the contract says. */
export function quoted(value: unknown): string {
  return JSON.stringify(value) ?? String(value)
}
