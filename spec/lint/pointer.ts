/** JSON pointers (RFC 6901): `/paths/~1keys/get`, or `#/paths/~1keys/get` as the fragment of a URI. */

/** Escapes a key for a pointer. */
export function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The unescaped keys of a pointer. */
export function keysOf(pointer: string): string[] {
  const plain = pointer.startsWith('#') ? decodeURIComponent(pointer.slice(1)) : pointer
  return plain.split('/').slice(1).map(unescaped)
}

function unescaped(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** The value at a pointer, or undefined. */
export function valueAt(root: unknown, pointer: string): unknown {
  return keysOf(pointer).reduce<unknown>(
    (value, key) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[key],
    root,
  )
}
