import { type Finding, stepsOf, type Validator } from '@partner-payments/validator'
import { createDocument, type Document, nodeOf } from '../../model/document.ts'
import { type FormView, formAt, writeForm } from '../../model/forms.ts'
import type { Json } from './json.ts'
import { type Place, partsOf, rootOf } from './place.ts'
import { createReadOnly } from './read-only.ts'

/** A document whose schemas can be asked about values. */
export interface SchemaContract {
  readonly root: Place
  /** The schemas that hold wherever these hold, without the properties that no request has. */
  partsOf(places: readonly Place[]): readonly Place[]
  /** A value without the properties that no request has. */
  sendable(places: readonly Place[], value: Json): Json
  /** What is wrong with a value that is sent, by the schema at a pointer; nothing of one that cannot be sent. */
  findingsOf(pointer: string, value: Json): readonly Finding[]
  /** Whether a value is one of every schema. */
  fits(places: readonly Place[], value: Json): boolean
  /** What is wrong with the text of a parameter; undefined: it was left out. */
  findingsOfText(parameter: Place, text: string | undefined): readonly Finding[]
}

/** A body that is a form. */
interface FormBody {
  readonly form: FormView
  readonly isRequired: boolean
}

/** The form of a schema that is that of a media type. */
function formBodyAt(document: Document, pointer: string): FormBody | undefined {
  const [content, type = '', schema] = stepsOf(pointer).slice(-3)
  if (content !== 'content' || schema !== 'schema') return undefined
  const [body = '', media = ''] = [3, 1].map((steps) => pointer.split('/').slice(0, -steps).join('/'))
  const form = formAt(document, media, type)
  return form && { form, isRequired: nodeOf(document.at(body)).required === true }
}

/** Values are made for requests alone. */
const REQUEST = { direction: 'to-service' } as const

/** Reads the document of a validator. */
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
    fits: (places, value) => places.every(({ pointer }) => judged(pointer, value)?.length === 0),
    findingsOfText: ({ pointer }, text) => validator.validateParameter(pointer, text),
  }

  /** Undefined of what cannot be sent. A form is judged as it is read, where `5` is a number and a text. */
  function judged(pointer: string, value: Json): readonly Finding[] | undefined {
    const body = formOf(pointer)
    if (!body) return validator.validateValue(pointer, value, REQUEST)
    const written = writeForm(body.form, value)
    if (!written) return undefined
    const how = { ...REQUEST, contentType: written.type }
    const found = validator.validateValue(pointer, written.body, how)
    // An empty form may be taken for no body, so it is certain to be refused or not sent.
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
