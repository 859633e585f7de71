import { keywordMark, typeOf, wholeMark } from '@partner-payments/contract'
import { pointerOf, stepsOf } from '@partner-payments/validator'
import { behaviour } from '../contract/behaviour.ts'
import type { Contract } from '../contract/contract.ts'
import { fieldsOf, type Json, stringAt, valueAt } from '../contract/json.ts'
import type { Arrival } from '../model/deliveries.ts'
import { type Exchange, mediaTypeOf } from '../model/exchange.ts'
import type { Model } from '../model.ts'
import { type Aspect, formOf, type Sightings, wordOf } from './sightings.ts'

/** A schema, and the question of what is around it, if all of that is assumed. */
interface Place {
  readonly pointer: string
  readonly schema: Json
  readonly around: string | undefined
}

/** A schema with what is looked at in its values, found once. */
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

interface Field {
  readonly name: string
  readonly reader: Reader
  readonly notePresence: Note | undefined
}

type Note = (seen: string) => void

/** The question about all refusals, whatever marks a part of them has. */
const REFUSALS = behaviour.conventions.refusals.question

/**
 * Notes what responses and deliveries show wherever the contract is no fact. It judges nothing:
 * rules do.
 */
export function createWitness({ document, deliveries }: Contract, sightings: Sightings) {
  const readers = new Map<string, Reader>()
  const see = sightings.add

  function placeAt(pointer: string, around: string | undefined): Place {
    return { pointer, schema: fieldsOf(valueAt(document, pointer)), around }
  }

  /** The place that a reference leads to; the same place if it is none. */
  function followed(place: Place): Place {
    const { schema, around } = place
    if (typeof schema.$ref !== 'string') return place
    return followed(placeAt(schema.$ref.slice(1), wholeMark(schema) ?? around))
  }

  function readerAt(pointer: string, around: string | undefined): Reader {
    const key = `${around} ${pointer}`
    const known = readers.get(key) ?? createReader(placeAt(pointer, around))
    readers.set(key, known)
    return known
  }

  /** The validator has refused schemas that lead to themselves. */
  function createReader(place: Place): Reader {
    const { pointer, schema } = place
    const around = wholeMark(schema) ?? place.around
    const inside = (keyword: string, name?: string) => {
      const at = pointerOf(pointer, keyword)
      return readerAt(name === undefined ? at : pointerOf(at, name), around)
    }
    const branches = (keyword: string) =>
      itemsOf(schema[keyword]).map((_, i) => inside(keyword, String(i)))

    const { $ref, items } = schema
    return {
      ...place,
      target: typeof $ref === 'string' ? readerAt($ref.slice(1), around) : undefined,
      items: items === undefined ? undefined : inside('items'),
      allOf: branches('allOf'),
      alternatives: [...branches('oneOf'), ...branches('anyOf')],
      fields: Object.keys(fieldsOf(schema.properties)).map((name) =>
        fieldOf(name, inside('properties', name)),
      ),
      // Of a reference, the type belongs to this use alone.
      noteType: noteOf(place, typeof $ref === 'string' ? '$ref' : 'type', 'type'),
      noteValue: noteOf(place, 'enum', 'value'),
      noteForms: formNotes(place),
    }
  }

  function fieldOf(name: string, reader: Reader): Field {
    const question = questionOf(reader, 'presence')
    const at = reader.pointer
    const notePresence =
      question === undefined ? undefined : sightings.counterAt({ question, at, of: 'presence' })
    return { name, reader, notePresence }
  }

  /** Notes values at a keyword that is no fact. */
  function noteOf(place: Place, keyword: string, of: Aspect): Note | undefined {
    const question = keyword in place.schema ? questionOf(place, keyword) : undefined
    if (question === undefined) return undefined
    return sightings.counterAt({ question, at: place.pointer, of })
  }

  /** Where one question is about format and pattern, a form was seen once. */
  function formNotes(place: Place): Note[] {
    const { schema } = place
    const isOne = 'format' in schema && questionOf(place, 'format') === questionOf(place, 'pattern')
    const keywords = isOne ? ['format'] : ['format', 'pattern']
    return keywords.flatMap((keyword) => noteOf(place, keyword, 'form') ?? [])
  }

  function readValue(reader: Reader, value: unknown, isTarget = false): void {
    if (reader.target) readValue(reader.target, value, true)
    if (!isTarget) reader.noteType?.(typeOf(value))
    reader.noteValue?.(wordOf(value))
    if (typeof value === 'string' && reader.noteForms.length > 0) {
      const form = formOf(value)
      for (const note of reader.noteForms) note(form)
    }
    readInside(reader, value)

    for (const branch of reader.allOf) readValue(branch, value)
    const chosen = reader.alternatives.find((branch) => mayBe(branch, value))
    if (chosen) readValue(chosen, value)
  }

  function readInside({ items, fields }: Reader, value: unknown): void {
    if (Array.isArray(value)) {
      if (items) for (const item of value) readValue(items, item)
      return
    }
    if (typeof value !== 'object' || value === null) return

    for (const { name, reader, notePresence } of fields) {
      const shown = (value as Json)[name]
      notePresence?.(presenceOf(shown))
      if (shown !== undefined) readValue(reader, shown)
    }
  }

  function readResponse(exchange: Exchange): void {
    const { operation, response, status, received: shown, unknown, undeclared } = exchange
    if (!operation || !response || exchange.origin === 'gateway') return

    const pointer = `${operation.declaration.pointer}/responses`
    const isRefusal = status >= 400
    if (isRefusal) see({ question: REFUSALS, at: pointer, of: 'status', seen: String(status) })
    readCode(exchange)

    const place = followed(placeAt(`${pointer}/${status}`, undefined))
    const question = isRefusal ? REFUSALS : wholeMark(place.schema)
    if (!unknown.responseHeaders) readHeaders(place, exchange)

    const type = mediaTypeOf(exchange)
    const [declaredType] = Object.keys(fieldsOf(place.schema.content))
    if (declaredType === undefined) return
    if (question !== undefined && type !== '')
      see({ question, at: `${place.pointer}/content`, of: 'media-type', seen: type })

    if (shown === undefined || unknown.shown.length > 0) return
    const media = pointerOf(`${place.pointer}/content`, declaredType)
    const body = readerAt(`${media}/schema`, contentMark(place.schema))
    readValue(body, shown)
    // A body of another media type was not compared with its schema.
    if (isRefusal && type !== declaredType) readUndeclared(followed(body), shown)

    for (const { pointer: where, contract: at, question: own } of undeclared) {
      const marked = isRefusal ? REFUSALS : own
      const name = stepsOf(where).at(-1) ?? ''
      const seen = `${wordOf(name)}: ${typeOf(valueAt(shown, where))}`
      if (marked !== undefined) see({ question: marked, at, of: 'undeclared', seen })
    }
  }

  /** The fields of a refusal that the contract does not declare. */
  function readUndeclared({ pointer, schema }: Place, shown: unknown): void {
    const declared = fieldsOf(schema.properties)
    const names = Object.keys(fieldsOf(shown)).filter((name) => !Object.hasOwn(declared, name))
    const at = `${pointer}/properties`
    for (const name of names) {
      const seen = `${wordOf(name)}: ${typeOf(fieldsOf(shown)[name])}`
      see({ question: REFUSALS, at, of: 'undeclared', seen })
    }
  }

  /** The status that a declared code came with. */
  function readCode({ outcome, status, shown }: Exchange): void {
    const code = stringAt(shown, '/code') ?? ''
    const isDeclared = Object.hasOwn(behaviour.refusals, code)
    if (outcome !== 'refused' || !isDeclared) return
    const at = `behaviour#/refusals/${code}`
    see({ question: REFUSALS, at, of: 'status', seen: String(status) })
  }

  function readHeaders({ pointer, schema }: Place, { response, status }: Exchange): void {
    const sent = response?.headers ?? {}
    for (const name of Object.keys(fieldsOf(schema.headers))) {
      const at = pointerOf(`${pointer}/headers`, name)
      const question = wholeMark(followed(placeAt(at, undefined)).schema)
      const seen = sent[name] === undefined ? 'absent' : 'present'
      if (question !== undefined) see({ question, at, of: 'presence', seen })
    }

    if (status < 400) return

    const at = `${pointer}/headers`
    const own = Object.keys(sent).filter((name) => name.startsWith('x-'))
    const undeclared = own.filter((name) => fieldsOf(schema.headers)[name] === undefined)
    for (const name of undeclared)
      see({ question: REFUSALS, at, of: 'undeclared', seen: wordOf(name) })
  }

  function readDelivery({ delivery: { headers }, body, received, name, event }: Arrival): void {
    const pointer = deliveries.get(event)
    const kinds = behaviour.events[event]?.question ?? EVENT_KINDS
    see({ question: kinds, at: '/webhooks', of: 'value', seen: wordOf(name) })
    if (pointer === undefined) return

    for (const [i] of itemsOf(valueAt(document, `${pointer}/parameters`)).entries()) {
      const { pointer: at, schema } = followed(placeAt(`${pointer}/parameters/${i}`, undefined))
      const name = String(schema.name)
      const question = wholeMark(schema)
      const seen = headers[name] === undefined ? 'absent' : 'present'
      if (question !== undefined) see({ question, at, of: 'presence', seen })
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
function mayBe({ schema, target, allOf }: Reader, value: unknown): boolean {
  const parts = target ? [target, ...allOf] : allOf
  return hasKind(schema, value) && parts.every((part) => mayBe(part, value))
}

function hasKind({ type, properties }: Json, value: unknown): boolean {
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
