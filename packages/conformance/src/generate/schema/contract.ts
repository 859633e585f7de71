import { createValidator, type Finding } from '@partner-payments/validator'
import { memberPlaces } from './choices.ts'
import type { Json } from './json.ts'
import { keywordOf, type Place, partsOf, rootOf } from './place.ts'

/** A document whose schemas can be asked about values of requests. */
export interface Contract {
  readonly root: Place
  /** The schemas that hold wherever these hold. */
  partsOf(places: readonly Place[]): readonly Place[]
  /** Those of the names of members that a request has: what is read-only, the service writes. */
  sent(parts: readonly Place[], names: readonly string[]): string[]
  /** Whether a request need not have such a value, and the service may ignore it (OpenAPI 3.1, "Data Types"). */
  isReadOnly(places: readonly Place[]): boolean
  /** What is wrong with a value by the schema at a pointer. */
  findingsOf(pointer: string, value: Json): readonly Finding[]
  /** Whether a value is one of every schema. */
  fits(places: readonly Place[], value: Json): boolean
  /** What is wrong with the text of a parameter; undefined: it was left out. */
  findingsOfText(parameter: Place, text: string | undefined): readonly Finding[]
}

/**
 * Reads a document.
 *
 * @throws ContractError where the document is none that the validator can read.
 */
export function createContract(document: object): Contract {
  const root = rootOf(document)
  const parts = new Map<string, readonly Place[]>()
  const validator = createValidator(document)
  return {
    root,
    partsOf: all,
    sent: (parts, names) => names.filter((name) => !isReadOnly(memberPlaces(parts, name))),
    isReadOnly,
    findingsOf,
    fits: (places, value) => places.every(({ pointer }) => findingsOf(pointer, value).length === 0),
    findingsOfText: ({ pointer }, text) => validator.validateParameter(pointer, text),
  }

  function isReadOnly(places: readonly Place[]): boolean {
    return all(places).some((part) => keywordOf(part, 'readOnly') === true)
  }

  function findingsOf(pointer: string, value: Json): readonly Finding[] {
    return validator.validateValue(pointer, value, { direction: 'to-service' })
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
