import { keywordMark, typeOf, wholeMark } from '@partner-payments/contract'
import { pointerOf, stepsOf } from '@partner-payments/validator'
import { behaviour } from '../contract/behaviour.ts'
import type { Contract } from '../contract/contract.ts'
import { fieldsOf, type Json, stringAt, valueAt } from '../contract/json.ts'
import type { Arrival } from '../model/deliveries.ts'
import { type Exchange, mediaTypeOf } from '../model/exchange.ts'
import type { Model } from '../model.ts'
import { type Aspect, formOf, type Sightings, wordOf } from './sightings.ts'

/** A schema of the contract. */
interface Place {
  readonly pointer: string
  readonly schema: Json
  /** The open question about all that is around it; undefined if that is a fact. */
  readonly around: string | undefined
}

/**
 * How to read the values of a schema: the parts of the schema, and the functions that note what is seen
 * of a value where the contract is no fact. It is built once for each schema.
 */
interface Reader extends Place {
  /** The schema that it refers to. */
  readonly target: Reader | undefined
  readonly items: Reader | undefined
  readonly allOf: readonly Reader[]
  readonly alternatives: readonly Reader[]
  readonly fields: readonly Field[]
  readonly noteType: Note | undefined
  readonly noteValue: Note | undefined
  readonly noteForms: readonly Note[]
}

/** A property of a schema. */
interface Field {
  readonly name: string
  readonly reader: Reader
  readonly notePresence: Note | undefined
}

/** Notes what was seen at one place. */
type Note = (seen: string) => void

/** The question about all refusals, whatever marks a part of them has. */
const REFUSALS = behaviour.conventions.refusals.question

/**
 * Notes what responses and deliveries show wherever the contract is no fact. It judges nothing:
 * rules do.
 */
export function createWitness({ document, deliveries }: Contract, sightings: Sightings) {
  const readers = new Map<string, Reader>()
  const note = sightings.add

  /** The schema at a pointer. */
  function placeAt(pointer: string, around: string | undefined): Place {
    return { pointer, schema: fieldsOf(valueAt(document, pointer)), around }
  }

  /** The place to which a reference leads; the same place if it is no reference. */
  function followReference(place: Place): Place {
    const { schema, around } = place
    if (typeof schema.$ref !== 'string') return place
    return followReference(placeAt(schema.$ref.slice(1), wholeMark(schema) ?? around))
  }

  /** The reader of a schema, which is created once. */
  function readerAt(pointer: string, around: string | undefined): Reader {
    const key = `${around} ${pointer}`
    const reader = readers.get(key) ?? createReader(placeAt(pointer, around))
    readers.set(key, reader)
    return reader
  }

  /** Creates the reader of a schema. The validator has refused schemas that lead to themselves. */
  function createReader(place: Place): Reader {
    const { pointer, schema } = place
    const around = wholeMark(schema) ?? place.around
    const readerOf = (keyword: string, name?: string) => {
      const keywordPointer = pointerOf(pointer, keyword)
      const partPointer = name === undefined ? keywordPointer : pointerOf(keywordPointer, name)
      return readerAt(partPointer, around)
    }
    const readersOf = (keyword: string) =>
      itemsOf(schema[keyword]).map((_, i) => readerOf(keyword, String(i)))

    const { $ref, items } = schema
    return {
      ...place,
      target: typeof $ref === 'string' ? readerAt($ref.slice(1), around) : undefined,
      items: items === undefined ? undefined : readerOf('items'),
      allOf: readersOf('allOf'),
      alternatives: [...readersOf('oneOf'), ...readersOf('anyOf')],
      fields: Object.keys(fieldsOf(schema.properties)).map((name) =>
        createField(name, readerOf('properties', name)),
      ),
      // Of a reference, the type belongs to this use alone.
      noteType: createNote(place, typeof $ref === 'string' ? '$ref' : 'type', 'type'),
      noteValue: createNote(place, 'enum', 'value'),
      noteForms: createFormNotes(place),
    }
  }

  /** A property, with the function that notes whether it is there if the contract assumes that. */
  function createField(name: string, reader: Reader): Field {
    const question = questionOf(reader, 'presence')
    const at = reader.pointer
    const notePresence =
      question === undefined ? undefined : sightings.counterAt({ question, at, of: 'presence' })
    return { name, reader, notePresence }
  }

  /** A function that notes what is seen at a keyword. Undefined if the keyword is a fact. */
  function createNote(place: Place, keyword: string, of: Aspect): Note | undefined {
    const question = keyword in place.schema ? questionOf(place, keyword) : undefined
    if (question === undefined) return undefined
    return sightings.counterAt({ question, at: place.pointer, of })
  }

  /** The functions that note the form of a string: one, if format and pattern have one question. */
  function createFormNotes(place: Place): Note[] {
    const { schema } = place
    const formatQuestion = questionOf(place, 'format')
    const haveOneQuestion = 'format' in schema && formatQuestion === questionOf(place, 'pattern')
    const keywords = haveOneQuestion ? ['format'] : ['format', 'pattern']
    return keywords.flatMap((keyword) => createNote(place, keyword, 'form') ?? [])
  }

  /**
   * Notes what is seen of a value, and of all values in it.
   *
   * @param isTarget Whether the schema is the target of a reference, which notes the type itself.
   */
  function readValue(reader: Reader, value: unknown, isTarget = false): void {
    if (reader.target) readValue(reader.target, value, true)
    if (!isTarget) reader.noteType?.(typeOf(value))
    reader.noteValue?.(wordOf(value))
    if (typeof value === 'string' && reader.noteForms.length > 0) {
      const form = formOf(value)
      for (const note of reader.noteForms) note(form)
    }
    readPartsOf(reader, value)

    for (const part of reader.allOf) readValue(part, value)
    const alternative = reader.alternatives.find((one) => mayBeOf(one, value))
    if (alternative) readValue(alternative, value)
  }

  /** Notes what is seen of the items of an array, or of the fields of an object. */
  function readPartsOf({ items, fields }: Reader, value: unknown): void {
    if (Array.isArray(value)) {
      if (items) for (const item of value) readValue(items, item)
      return
    }
    if (typeof value !== 'object' || value === null) return

    for (const { name, reader, notePresence } of fields) {
      const fieldValue = (value as Json)[name]
      notePresence?.(presenceOf(fieldValue))
      if (fieldValue !== undefined) readValue(reader, fieldValue)
    }
  }

  /** Notes what a response shows: its status, code, headers, media type and body. */
  function readResponse(exchange: Exchange): void {
    const { operation, response, status } = exchange
    if (!operation || !response || exchange.responder === 'gateway') return

    const pointer = `${operation.declaration.pointer}/responses`
    const isRefusal = status >= 400
    if (isRefusal) note({ question: REFUSALS, at: pointer, of: 'status', seen: String(status) })
    readCode(exchange)

    const place = followReference(placeAt(`${pointer}/${status}`, undefined))
    if (!exchange.unknown.responseHeaders) readHeaders(place, exchange)
    const [declaredType] = Object.keys(fieldsOf(place.schema.content))
    if (declaredType === undefined) return

    readMediaType(place, exchange)
    readBody(place, declaredType, exchange)
  }

  function readMediaType({ pointer, schema }: Place, exchange: Exchange): void {
    const isRefusal = exchange.status >= 400
    const question = isRefusal ? REFUSALS : wholeMark(schema)
    const mediaType = mediaTypeOf(exchange)
    if (question !== undefined && mediaType !== '')
      note({ question, at: `${pointer}/content`, of: 'media-type', seen: mediaType })
  }

  /** @param declaredType The media type whose schema the body is read by. */
  function readBody(place: Place, declaredType: string, exchange: Exchange): void {
    const { status, received, unknown, undeclared } = exchange
    if (received === undefined || unknown.shown.length > 0) return

    const media = pointerOf(`${place.pointer}/content`, declaredType)
    const body = readerAt(`${media}/schema`, contentMark(place.schema))
    readValue(body, received)
    const isRefusal = status >= 400
    // A body of another media type was not compared with its schema.
    const wasNotCompared = mediaTypeOf(exchange) !== declaredType
    if (isRefusal && wasNotCompared) readUndeclared(followReference(body), received)

    for (const difference of undeclared) {
      const question = isRefusal ? REFUSALS : difference.question
      const name = stepsOf(difference.pointer).at(-1) ?? ''
      const seen = `${wordOf(name)}: ${typeOf(valueAt(received, difference.pointer))}`
      if (question !== undefined)
        note({ question, at: difference.contract, of: 'undeclared', seen })
    }
  }

  /** The fields of a refusal that the contract does not declare. */
  function readUndeclared({ pointer, schema }: Place, shown: unknown): void {
    const declared = fieldsOf(schema.properties)
    const names = Object.keys(fieldsOf(shown)).filter((name) => !Object.hasOwn(declared, name))
    const at = `${pointer}/properties`
    for (const name of names) {
      const seen = `${wordOf(name)}: ${typeOf(fieldsOf(shown)[name])}`
      note({ question: REFUSALS, at, of: 'undeclared', seen })
    }
  }

  /** The status that a declared code came with. */
  function readCode({ outcome, status, shown }: Exchange): void {
    const code = stringAt(shown, '/code') ?? ''
    const isDeclared = Object.hasOwn(behaviour.refusals, code)
    if (outcome !== 'refused' || !isDeclared) return
    const at = `behaviour#/refusals/${code}`
    note({ question: REFUSALS, at, of: 'status', seen: String(status) })
  }

  /** Notes which assumed headers are there and, of refusals, which are not declared. */
  function readHeaders({ pointer, schema }: Place, { response, status }: Exchange): void {
    const shownHeaders = response?.headers ?? {}
    for (const name of Object.keys(fieldsOf(schema.headers))) {
      const at = pointerOf(`${pointer}/headers`, name)
      const question = wholeMark(followReference(placeAt(at, undefined)).schema)
      const seen = shownHeaders[name] === undefined ? 'absent' : 'present'
      if (question !== undefined) note({ question, at, of: 'presence', seen })
    }

    if (status < 400) return

    const at = `${pointer}/headers`
    const extensions = Object.keys(shownHeaders).filter((name) => name.startsWith('x-'))
    const undeclared = extensions.filter((name) => fieldsOf(schema.headers)[name] === undefined)
    for (const name of undeclared)
      note({ question: REFUSALS, at, of: 'undeclared', seen: wordOf(name) })
  }

  /** Notes what a delivery shows: its event, its headers and its body. */
  function readDelivery({ delivery: { headers }, body, received, name, event }: Arrival): void {
    const pointer = deliveries.get(event)
    const eventQuestion = behaviour.events[event]?.question ?? EVENT_KINDS
    note({ question: eventQuestion, at: '/webhooks', of: 'value', seen: wordOf(name) })
    if (pointer === undefined) return

    for (const [i] of itemsOf(valueAt(document, `${pointer}/parameters`)).entries()) {
      const { pointer: at, schema } = followReference(
        placeAt(`${pointer}/parameters/${i}`, undefined),
      )
      const name = String(schema.name)
      const question = wholeMark(schema)
      const seen = headers[name] === undefined ? 'absent' : 'present'
      if (question !== undefined) note({ question, at, of: 'presence', seen })
    }

    const media = '/requestBody/content/application~1json/schema'
    // At places of its own, a service shows no value where the contract has it.
    const isAtDeclaredPlaces = stringAt(received, '/type') !== undefined
    readValue(readerAt(pointer + media, undefined), isAtDeclaredPlaces ? received : body)
  }

  return {
    read: readResponse,
    end(model: Model): void {
      for (const arrival of model.deliveries.arrivals) readDelivery(arrival)
    },
  }
}

/** The question of which events there are. */
const EVENT_KINDS = 'event-kinds'

/** The question about the content of a response. */
function contentMark(response: Json): string | undefined {
  return keywordMark(response, 'content') ?? wholeMark(response)
}

/** The question about a keyword; undefined if it is a fact. */
function questionOf({ schema, around }: Place, keyword: string): string | undefined {
  return keywordMark(schema, keyword) ?? wholeMark(schema) ?? around
}

function presenceOf(value: unknown): string {
  if (value === undefined) return 'absent'
  return value === null ? 'null' : 'present'
}

/** Whether a schema may be that of a value, by the types and the constants of all its parts. */
function mayBeOf({ schema, target, allOf }: Reader, value: unknown): boolean {
  const parts = target ? [target, ...allOf] : allOf
  return hasTypeAndConstants(schema, value) && parts.every((part) => mayBeOf(part, value))
}

function hasTypeAndConstants({ type, properties }: Json, value: unknown): boolean {
  const types = type === undefined ? [] : [type].flat()
  const hasType = types.length === 0 || types.includes(typeOf(value)) || isNumberOf(types, value)
  const constants = Object.entries(fieldsOf(properties)).flatMap(([name, field]) => {
    const constant = fieldsOf(field).const
    return constant === undefined ? [] : [[name, constant] as const]
  })
  return hasType && constants.every(([name, constant]) => fieldsOf(value)[name] === constant)
}

/** An integer is a number too. */
function isNumberOf(types: readonly unknown[], value: unknown): boolean {
  return types.includes('number') && typeof value === 'number'
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
