import type { Finding, Validator } from '@partner-payments/validator'
import type { Json } from './json.ts'
import { type Place, partsOf, rootOf } from './place.ts'

/** The schemas of a document, with validation of request values. */
export interface SchemaContract {
  readonly root: Place
  /** All schemas that apply together with these. */
  partsOf(places: readonly Place[]): readonly Place[]
  /** The validator's findings about a request value. */
  findingsOf(pointer: string, value: Json): readonly Finding[]
  /** Whether a value is valid for all schemas. */
  isValid(places: readonly Place[], value: Json): boolean
  /** The validator's findings about a parameter. Undefined: it is left out. */
  findingsOfText(parameter: Place, text: string | undefined): readonly Finding[]
}

export function createSchemaContract(validator: Validator): SchemaContract {
  const root = rootOf(validator.document)
  const parts = new Map<string, readonly Place[]>()
  return {
    root,
    partsOf: all,
    findingsOf: (pointer, value) => validator.validateValue(pointer, value),
    isValid: (places, value) =>
      places.every(({ pointer }) => validator.validateValue(pointer, value).length === 0),
    findingsOfText: ({ pointer }, text) => validator.validateParameter(pointer, text),
  }

  function all(places: readonly Place[]): readonly Place[] {
    const found = places.flatMap((place) => {
      const key = `${place.pointer} ${place.question}`
      const own = parts.get(key) ?? partsOf(root, place)
      parts.set(key, own)
      return own
    })
    return [...new Map(found.map((part) => [part.pointer, part])).values()]
  }
}
