import type { Finding, Validator } from '@partner-payments/validator'
import { createDocument } from '../../model/document.ts'
import type { Json } from './json.ts'
import { type Place, partsOf, rootOf } from './place.ts'
import { createReadOnly } from './read-only.ts'

/** A document whose schemas can be asked about values. */
export interface Contract {
  readonly root: Place
  /** The schemas that hold wherever these hold, without the properties that no request has. */
  partsOf(places: readonly Place[]): readonly Place[]
  /** A value without the properties that no request has. */
  sendable(places: readonly Place[], value: Json): Json
  /** What is wrong with a value that is sent by the schema at a pointer. */
  findingsOf(pointer: string, value: Json): readonly Finding[]
  /** Whether a value is one of every schema. */
  fits(places: readonly Place[], value: Json): boolean
  /** What is wrong with the text of a parameter; undefined: it was left out. */
  findingsOfText(parameter: Place, text: string | undefined): readonly Finding[]
}

/** Values are made for requests alone. */
const REQUEST = { direction: 'to-service' } as const

/** Reads the document of a validator. */
export function createContract(validator: Validator): Contract {
  const root = rootOf(validator.document)
  const parts = new Map<string, readonly Place[]>()
  const readOnly = createReadOnly(createDocument(validator.document))
  const findingsOf = (pointer: string, value: Json) => validator.validateValue(pointer, value, REQUEST)
  return {
    root,
    partsOf: (places) => readOnly.left(all(places)),
    sendable: readOnly.sendable,
    findingsOf,
    fits: (places, value) => places.every(({ pointer }) => findingsOf(pointer, value).length === 0),
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
