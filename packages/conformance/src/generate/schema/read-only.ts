import type { Document } from '../../model/document.ts'
import { hasReadOnly, readOnlyNames, withoutReadOnly } from '../../model/read-only.ts'
import { isObject, type Json } from './json.ts'
import { keywordOf, type Place } from './place.ts'

/** Removes `readOnly` properties from schemas and values. */
interface ReadOnly {
  left(parts: readonly Place[]): readonly Place[]
  sendable(places: readonly Place[], value: Json): Json
}

/** Most documents have none. */
export function createReadOnly(document: Document): ReadOnly {
  if (!hasReadOnly(document)) return { left: (parts) => parts, sendable: (_, value) => value }
  const known = new Map<string, readonly string[]>()
  return {
    left(parts) {
      const names = new Set(parts.flatMap(namesOf))
      return names.size === 0 ? parts : parts.map((part) => without(part, names))
    },
    sendable: (places, value) =>
      places.reduce((left, { pointer }) => withoutReadOnly(document, pointer, left) as Json, value),
  }

  function namesOf({ pointer }: Place): readonly string[] {
    const names = known.get(pointer) ?? readOnlyNames(document, pointer)
    known.set(pointer, names)
    return names
  }
}

/** The same schema without the named properties. */
function without(part: Place, names: ReadonlySet<string>): Place {
  const [properties, required] = [keywordOf(part, 'properties'), keywordOf(part, 'required')]
  const isLeft = ([name]: [string, unknown]) => !names.has(name)
  const node = {
    ...(part.node as object),
    ...(isObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).filter(isLeft)),
    }),
    ...(Array.isArray(required) && { required: required.filter((name) => !names.has(name)) }),
  }
  return { ...part, node }
}
