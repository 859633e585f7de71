import { keywordMark, typeOf, wholeMark } from '@partner-payments/contract'
import { type Finding, pointerOf, stepsOf } from '@partner-payments/validator'
import { behaviour } from '../contract/behaviour.ts'
import type { Contract } from '../contract/contract.ts'
import { fieldsOf, type Json, listItems, stringAt, valueAt } from '../contract/json.ts'
import { UNKNOWN_FIELD } from '../contract/unknown-field.ts'
import { mediaTypeOf, type RecordedDelivery } from '../history.ts'
import type { Arrival } from '../model/deliveries.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Model } from '../model.ts'
import { noteValue, type Place, type Reader, SchemaReaders } from './schema-readers.ts'
import { describeWord, type Sightings } from './sightings.ts'

/** The question about all refusals, whatever marks a part of them has. */
const REFUSALS = behaviour.conventions.refusals.question

/**
 * Notes what responses and deliveries show wherever the contract is no fact. It judges nothing:
 * rules do.
 */
export class Witness {
  readonly #document: unknown
  /** Where the contract declares the deliveries of each event. */
  readonly #deliveries: Contract['deliveries']
  readonly #sightings: Sightings
  readonly #schemas: SchemaReaders

  constructor({ document, deliveries }: Contract, sightings: Sightings) {
    this.#document = document
    this.#deliveries = deliveries
    this.#sightings = sightings
    this.#schemas = new SchemaReaders(document, sightings)
  }

  /**
   * Counts what a response shows where the contract only assumes something: its status, code, headers, media
   * type and body. The responses of a gateway say nothing of the service.
   */
  readResponse(exchange: Exchange): void {
    const { operation, response, status } = exchange
    if (!operation || !response || exchange.responder === 'gateway') return

    // What refusals look like is one open question (`REFUSALS`): all that they show is counted for it.
    const pointer = `${operation.declaration.pointer}/responses`
    const isRefusal = status >= 400
    if (isRefusal)
      this.#sightings.add({ question: REFUSALS, at: pointer, of: 'status', seen: String(status) })
    this.#readCode(exchange)

    const place = this.#schemas.findTarget(`${pointer}/${status}`)
    if (!exchange.unknown.responseHeaders) this.#readHeaders(place, exchange)
    const [declaredType] = Object.keys(fieldsOf(place.schema.content))
    if (declaredType === undefined) return

    this.#readMediaType(place, exchange)
    this.#readBody(place, declaredType, exchange)
  }

  /** Notes the media type of a response, unless the contract declares it as a fact. */
  #readMediaType({ pointer, schema }: Place, exchange: Exchange): void {
    // The open question about all of the response; undefined if it is a fact.
    const isRefusal = exchange.status >= 400
    const question = isRefusal ? REFUSALS : wholeMark(schema)
    const mediaType = mediaTypeOf(exchange)
    if (question !== undefined && mediaType !== '')
      this.#sightings.add({ question, at: `${pointer}/content`, of: 'media-type', seen: mediaType })
  }

  /**
   * Counts what the body of a response shows where the contract only assumes something, and its fields that
   * the contract does not declare. Skips bodies of which a part is missing in the history.
   *
   * @param declaredType The media type whose schema the body is read by.
   */
  #readBody(place: Place, declaredType: string, exchange: Exchange): void {
    const { status, untranslatedBody, unknown, undeclared } = exchange
    const isWhole = untranslatedBody !== undefined && unknown.responseBody.length === 0
    if (!isWhole) return

    const media = pointerOf(`${place.pointer}/content`, declaredType)
    const bodyReader = this.#schemas.findReader(`${media}/schema`, findContentMark(place.schema))
    noteValue(bodyReader, untranslatedBody)

    // `undeclared` lists the fields that the validator found. It compares no body with another media type.
    const wasCompared = mediaTypeOf(exchange) === declaredType
    const isRefusal = status >= 400
    if (isRefusal && !wasCompared) this.#readUndeclaredOfRefusal(bodyReader, untranslatedBody)

    for (const difference of undeclared) this.#readUndeclared(difference, exchange)
  }

  /** Counts a field that the contract does not declare, with its type, unless that is a fact. */
  #readUndeclared(difference: Finding, { status, untranslatedBody }: Exchange): void {
    const isRefusal = status >= 400
    const question = isRefusal ? REFUSALS : difference.question
    if (question === undefined) return

    const name = stepsOf(difference.pointer).at(-1) ?? ''
    // A service that shows what it does not know shows the field of the run.
    if (name === UNKNOWN_FIELD) return

    const seen = describeField(name, valueAt(untranslatedBody, difference.pointer))
    this.#sightings.add({ question, at: difference.contract, of: 'undeclared', seen })
  }

  /**
   * Counts the fields of a refusal that its schema does not declare, each with its type: `hint: string`. Does
   * so too for the declared objects in it, such as each of `errors`.
   */
  #readUndeclaredOfRefusal(reader: Reader, shown: unknown): void {
    const { target, items, fields, pointer } = reader
    if (target) {
      this.#readUndeclaredOfRefusal(target, shown)
      return
    }
    if (Array.isArray(shown)) {
      if (items) for (const item of shown) this.#readUndeclaredOfRefusal(items, item)
      return
    }

    // A schema without properties may have any fields.
    if (fields.length === 0) return

    const at = `${pointer}/properties`
    const readers = new Map(fields.map((field) => [field.name, field.reader]))
    for (const [name, value] of Object.entries(fieldsOf(shown))) {
      const declared = readers.get(name)
      if (declared) {
        this.#readUndeclaredOfRefusal(declared, value)
        continue
      }
      if (name === UNKNOWN_FIELD) continue

      const seen = describeField(name, value)
      this.#sightings.add({ question: REFUSALS, at, of: 'undeclared', seen })
    }
  }

  /** Notes the status that a declared code came with. */
  #readCode({ outcome, status, responseBody }: Exchange): void {
    const code = stringAt(responseBody, '/code') ?? ''
    const isDeclared = Object.hasOwn(behaviour.refusals, code)
    if (outcome !== 'refused' || !isDeclared) return
    const at = `behaviour#/refusals/${code}`
    this.#sightings.add({ question: REFUSALS, at, of: 'status', seen: String(status) })
  }

  /**
   * Counts which headers are present or absent, where the contract only assumes them. Of a refusal, also
   * counts the undeclared headers that begin with `x-`.
   */
  #readHeaders({ pointer, schema }: Place, { response, status }: Exchange): void {
    const at = `${pointer}/headers`
    const declaredHeaders = fieldsOf(schema.headers)
    const shownHeaders = response?.headers ?? {}
    for (const name of Object.keys(declaredHeaders))
      this.#readPresence(pointerOf(at, name), shownHeaders[name])

    if (status < 400) return

    for (const name of Object.keys(shownHeaders)) {
      const isUndeclared = name.startsWith('x-') && declaredHeaders[name] === undefined
      if (isUndeclared)
        this.#sightings.add({ question: REFUSALS, at, of: 'undeclared', seen: describeWord(name) })
    }
  }

  /**
   * Counts whether a header is there, if the contract only assumes it.
   *
   * @param pointer Where the header is declared.
   * @param value Undefined if it is absent.
   */
  #readPresence(pointer: string, value: unknown): void {
    const question = wholeMark(this.#schemas.findTarget(pointer).schema)
    const seen = value === undefined ? 'absent' : 'present'
    if (question !== undefined) this.#sightings.add({ question, at: pointer, of: 'presence', seen })
  }

  /**
   * Counts what a delivery shows where the contract only assumes something: the name of its event, its
   * headers and its body.
   */
  #readDelivery(arrival: Arrival): void {
    // `name` is what the service calls the event, such as `paid`, and `event` what the contract calls it.
    const { delivery, name, event } = arrival
    const question = behaviour.events[event]?.question ?? EVENT_KINDS
    this.#sightings.add({ question, at: '/webhooks', of: 'value', seen: describeWord(name) })

    const pointer = this.#deliveries.get(event)
    const isDeclared = pointer !== undefined
    if (!isDeclared) return
    this.#readDeliveryHeaders(`${pointer}/parameters`, delivery.headers)
    this.#readDeliveryBody(`${pointer}/requestBody/content/application~1json/schema`, arrival)
  }

  /**
   * Counts what the body of a delivery shows where the contract only assumes something: the body as it was
   * `received`, in the service's own words. Where that has other fields, such as `/kind` for `/type`, the schema does
   * not fit, so that the `body` is read that was rewritten in the form of the contract.
   */
  #readDeliveryBody(schemaPointer: string, { body, received }: Arrival): void {
    const noQuestionAround = undefined
    const reader = this.#schemas.findReader(schemaPointer, noQuestionAround)
    const isAtDeclaredPlaces = stringAt(received, '/type') !== undefined
    noteValue(reader, isAtDeclaredPlaces ? received : body)
  }

  /**
   * Counts which headers of a delivery are present or absent, where the contract only assumes them.
   *
   * @param parameters The pointer of their declarations, which OpenAPI calls parameters.
   */
  #readDeliveryHeaders(parameters: string, headers: RecordedDelivery['headers']): void {
    for (const [i] of listItems(valueAt(this.#document, parameters)).entries()) {
      const { pointer: at, schema } = this.#schemas.findTarget(`${parameters}/${i}`)
      // The open question about all of the header; undefined if it is a fact.
      const question = wholeMark(schema)
      const seen = headers[String(schema.name)] === undefined ? 'absent' : 'present'
      if (question !== undefined) this.#sightings.add({ question, at, of: 'presence', seen })
    }
  }

  /** Notes what all deliveries show, once the history has ended. */
  readDeliveries({ deliveries }: Model): void {
    for (const arrival of deliveries.arrivals) this.#readDelivery(arrival)
  }
}

/** The question of which events there are. */
const EVENT_KINDS = 'event-kinds'

/** Such as `hint: string`. */
function describeField(name: string, value: unknown): string {
  return `${describeWord(name)}: ${typeOf(value)}`
}

/** Finds the question about the content of a response. */
function findContentMark(response: Json): string | undefined {
  return keywordMark(response, 'content') ?? wholeMark(response)
}
