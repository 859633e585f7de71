import { type Finding, stepsOf, type Validator } from '@partner-payments/validator'
import { createDocument, type Document, nodeOf } from '../../model/document.ts'
import { type FormView, formAt, writeForm } from '../../model/forms.ts'
import type { Json } from './json.ts'
import { type Place, partsOf, rootOf } from './place.ts'
import { createReadOnly } from './read-only.ts'

/** The schemas of a document, with validation of request values. */
export interface SchemaContract {
  readonly root: Place
  /** All schemas that apply together with these, without `readOnly` properties. */
  partsOf(places: readonly Place[]): readonly Place[]
  /** A value without `readOnly` properties. */
  sendable(places: readonly Place[], value: Json): Json
  /** The validator's findings about a request value; none if it cannot be sent. */
  findingsOf(pointer: string, value: Json): readonly Finding[]
  /** Whether a value is valid for all schemas. */
  isValid(places: readonly Place[], value: Json): boolean
  /** The validator's findings about a parameter. Undefined: it is left out. */
  findingsOfText(parameter: Place, text: string | undefined): readonly Finding[]
}

interface FormBody {
  readonly form: FormView
  readonly isRequired: boolean
}

/** The form whose schema is at the pointer; undefined for other media types. */
function formBodyAt(document: Document, pointer: string): FormBody | undefined {
  const [content, type = '', schema] = stepsOf(pointer).slice(-3)
  if (content !== 'content' || schema !== 'schema') return undefined
  const [body = '', media = ''] = [3, 1].map((steps) => pointer.split('/').slice(0, -steps).join('/'))
  const form = formAt(document, media, type)
  return form && { form, isRequired: nodeOf(document.at(body)).required === true }
}

const REQUEST = { direction: 'to-service' } as const

export function createSchemaContract(validator: Validator): SchemaContract {
  const root = rootOf(validator.document)
  const parts = new Map<string, readonly Place[]>()
  const document = createDocument(validator.document)
  const readOnly = createReadOnly(document)
  const forms = new Map<string, FormBody | undefined>()
  return {
    root,
    partsOf: (places) => readOnly.left(all(places)),
    sendable: readOnly.sendable,
    findingsOf: (pointer, value) => judged(pointer, value) ?? [],
    isValid: (places, value) => places.every(({ pointer }) => judged(pointer, value)?.length === 0),
    findingsOfText: ({ pointer }, text) => validator.validateParameter(pointer, text),
  }

  /**
   * Undefined if the value cannot be sent. A form is validated as it is parsed, where `5` is both a number and a
   * string.
   */
  function judged(pointer: string, value: Json): readonly Finding[] | undefined {
    const body = formOf(pointer)
    if (!body) return validator.validateValue(pointer, value, REQUEST)
    const written = writeForm(body.form, value)
    if (!written) return undefined
    const how = { ...REQUEST, contentType: written.type }
    const found = validator.validateValue(pointer, written.body, how)
    // An empty form may be read as a missing body, so it is used only if both are invalid.
    return written.body !== '' || (found.length > 0 && body.isRequired) ? found : undefined
  }

  function formOf(pointer: string): FormBody | undefined {
    if (!forms.has(pointer)) forms.set(pointer, formBodyAt(document, pointer))
    return forms.get(pointer)
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
