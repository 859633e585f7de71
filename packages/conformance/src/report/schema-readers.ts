import { keywordMark, typeOf, wholeMark } from '@partner-payments/contract'
import { pointerOf } from '@partner-payments/validator'
import { fieldsOf, type Json, listItems, valueAt } from '../contract/json.ts'
import { type Aspect, describeForm, describeWord, type Sightings } from './sightings.ts'

/** A schema of the contract. */
export interface Place {
  readonly pointer: string
  readonly schema: Json
  /** The open question about all that is around it; undefined if that is a fact. */
  readonly around: string | undefined
}

/**
 * How to read the values of a schema: the parts of the schema, and the functions that note what is seen
 * of a value where the contract is no fact. It is built once for each schema.
 */
export interface Reader extends Place {
  /** The schema that it refers to. */
  readonly target: Reader | undefined
  readonly items: Reader | undefined
  readonly allOf: readonly Reader[]
  readonly alternatives: readonly Reader[]
  readonly fields: readonly Field[]
  readonly noteType: Note | undefined
  readonly noteEnumValue: Note | undefined
  readonly noteForms: readonly Note[]
}

/** The readers of the parts of a schema. */
type Parts = Pick<Reader, 'target' | 'items' | 'allOf' | 'alternatives' | 'fields'>

/** A property of a schema. */
interface Field {
  readonly name: string
  readonly reader: Reader
  readonly notePresence: Note | undefined
}

/** Notes what was seen at one place. */
type Note = (seen: string) => void

/**
 * Finds the schemas of the contract, and how to read the values of each. Each schema has one reader,
 * which is created on first use.
 */
export class SchemaReaders {
  /** By the pointer of the schema, and the question around it. */
  readonly #readers = new Map<string, Reader>()
  readonly #document: unknown
  readonly #sightings: Sightings

  /**
   * @param document The bundled contract.
   * @param sightings Counts what the readers note.
   */
  constructor(document: unknown, sightings: Sightings) {
    this.#document = document
    this.#sightings = sightings
  }

  /**
   * Finds the schema at a pointer.
   *
   * @param around The open question about all that is around it; undefined if that is a fact.
   */
  #findPlace(pointer: string, around: string | undefined): Place {
    return { pointer, schema: fieldsOf(valueAt(this.#document, pointer)), around }
  }

  /** Finds the schema at a pointer or, if a reference stands there, the one to which it leads. */
  findTarget(pointer: string): Place {
    return this.#followReference(this.#findPlace(pointer, undefined))
  }

  /** Finds the place to which a reference leads; the same place if it is no reference. */
  #followReference(place: Place): Place {
    const { schema, around } = place
    if (typeof schema.$ref !== 'string') return place
    return this.#followReference(this.#findPlace(schema.$ref.slice(1), wholeMark(schema) ?? around))
  }

  /**
   * Finds the reader of a schema, which is created once.
   *
   * @param around The open question about what is around the schema; undefined if that is a fact.
   */
  findReader(pointer: string, around: string | undefined): Reader {
    const key = `${around} ${pointer}`
    const reader = this.#readers.get(key) ?? this.#createReader(this.#findPlace(pointer, around))
    this.#readers.set(key, reader)
    return reader
  }

  /**
   * Creates the reader of a schema: the readers of its parts, and functions that note what values show where
   * the contract only assumes something. Where the type of `/amount` is an assumption, `noteType` counts `string` and
   * `number`; where it is a fact, `noteType` is undefined.
   */
  #createReader(place: Place): Reader {
    const isReference = typeof place.schema.$ref === 'string'
    return {
      ...place,
      ...this.#findParts(place),
      // A mark of `$ref` says that the type is assumed for this use of the schema alone.
      noteType: this.#createNote(place, isReference ? '$ref' : 'type', 'type'),
      noteEnumValue: this.#createNote(place, 'enum', 'value'),
      noteForms: this.#createFormNotes(place),
    }
  }

  /**
   * Finds the readers of the parts of a schema: what its reference leads to, its items and properties, its parts
   * (`allOf`) and its alternatives. This ends, since the validator has refused schemas that lead to themselves.
   */
  #findParts(place: Place): Parts {
    const { pointer, schema } = place
    const { $ref, items, properties } = schema
    // The open question about the whole schema, or about one around it: it holds for the parts too. Undefined if none.
    const around = wholeMark(schema) ?? place.around
    const findPart = (partPointer: string) => this.findReader(partPointer, around)
    // Such as `/components/schemas/Transfer/allOf/0`.
    const findPartsOf = (keyword: string) =>
      listItems(schema[keyword]).map((_, i) => findPart(`${pointer}/${keyword}/${i}`))

    return {
      target: typeof $ref === 'string' ? findPart($ref.slice(1)) : undefined,
      items: items === undefined ? undefined : findPart(`${pointer}/items`),
      allOf: findPartsOf('allOf'),
      alternatives: [...findPartsOf('oneOf'), ...findPartsOf('anyOf')],
      fields: Object.keys(fieldsOf(properties)).map((name) =>
        this.#createField(name, findPart(pointerOf(`${pointer}/properties`, name))),
      ),
    }
  }

  /**
   * Creates the reader of a property. If the contract only assumes that the property is there, `notePresence`
   * counts how often a service shows it; else it is undefined.
   */
  #createField(name: string, reader: Reader): Field {
    const question = findQuestion(reader, 'presence')
    if (question === undefined) return { name, reader, notePresence: undefined }

    const at = reader.pointer
    const notePresence = this.#sightings.createCounter({ question, at, of: 'presence' })
    return { name, reader, notePresence }
  }

  /** Creates a function that notes what is seen at a keyword. Undefined if the keyword is a fact. */
  #createNote(place: Place, keyword: string, of: Aspect): Note | undefined {
    const question = keyword in place.schema ? findQuestion(place, keyword) : undefined
    if (question === undefined) return undefined
    return this.#sightings.createCounter({ question, at: place.pointer, of })
  }

  /**
   * Creates the functions that note the form of a string. The contract may declare the form by `format`, by
   * `pattern`, or by both; if one question is about both, the form is counted once.
   */
  #createFormNotes(place: Place): Note[] {
    const { schema } = place
    const formatQuestion = findQuestion(place, 'format')
    // Then `format` alone counts the form.
    const haveOneQuestion = 'format' in schema && formatQuestion === findQuestion(place, 'pattern')
    const keywords = haveOneQuestion ? ['format'] : ['format', 'pattern']
    return keywords.flatMap((keyword) => this.#createNote(place, keyword, 'form') ?? [])
  }
}

/**
 * Counts what a value shows where the contract only assumes something, such as its type or the form of a
 * string, and does so for all values in it.
 *
 * @param reader Says for a schema of the contract what to count.
 * @param isTarget Whether the schema is the target of a reference, which has noted the type already.
 */
export function noteValue(reader: Reader, value: unknown, isTarget = false): void {
  if (reader.target) noteValue(reader.target, value, true)
  if (!isTarget) reader.noteType?.(typeOf(value))
  reader.noteEnumValue?.(describeWord(value))
  if (typeof value === 'string' && reader.noteForms.length > 0) {
    const form = describeForm(value)
    for (const note of reader.noteForms) note(form)
  }
  noteParts(reader, value)

  for (const part of reader.allOf) noteValue(part, value)
  const alternative = reader.alternatives.find((one) => mayDescribe(one, value))
  if (alternative) noteValue(alternative, value)
}

/**
 * Counts what the items of an array, or the fields of an object, show where the contract only assumes
 * something.
 */
function noteParts({ items, fields }: Reader, value: unknown): void {
  if (Array.isArray(value)) {
    if (items) for (const item of value) noteValue(items, item)
    return
  }
  if (typeof value !== 'object' || value === null) return

  for (const { name, reader, notePresence } of fields) {
    const fieldValue = (value as Json)[name]
    notePresence?.(describePresence(fieldValue))
    if (fieldValue !== undefined) noteValue(reader, fieldValue)
  }
}

/** Finds the question about a keyword; undefined if it is a fact. */
function findQuestion({ schema, around }: Place, keyword: string): string | undefined {
  return keywordMark(schema, keyword) ?? wholeMark(schema) ?? around
}

/** Says whether a field is there: `absent`, `null` or `present`. */
function describePresence(value: unknown): string {
  if (value === undefined) return 'absent'
  return value === null ? 'null' : 'present'
}

/** Whether a schema may be that of a value, by the types and the constants of all its parts. */
function mayDescribe({ schema, target, allOf }: Reader, value: unknown): boolean {
  const parts = target ? [target, ...allOf] : allOf
  return hasTypeAndConstants(schema, value) && parts.every((part) => mayDescribe(part, value))
}

/**
 * Whether a value has the type that a schema declares, and the values of its `const` properties, such as
 * `type: 'emv'`. This tells the alternatives of `oneOf` apart.
 */
function hasTypeAndConstants({ type, properties }: Json, value: unknown): boolean {
  if (type !== undefined && !hasType([type].flat(), value)) return false

  for (const [name, schema] of Object.entries(fieldsOf(properties))) {
    const constant = fieldsOf(schema).const
    if (constant !== undefined && constant !== fieldsOf(value)[name]) return false
  }
  return true
}

/** Whether a value has one of several types. An integer is a number too. */
function hasType(types: readonly unknown[], value: unknown): boolean {
  const isNumber = typeof value === 'number' && types.includes('number')
  return isNumber || types.includes(typeOf(value))
}
