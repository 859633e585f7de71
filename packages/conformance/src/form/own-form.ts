import type { Resource } from '@partner-payments/spec/behaviour'
import { behaviour } from '../contract/behaviour.ts'
import type { Operation } from '../contract/contract.ts'
import { fieldsOf, isObject, leavesOf, stringAt, valueAt, withValue } from '../contract/json.ts'
import { declaredKinds, type Kind } from '../contract/kinds.ts'

/**
 * Values that a user gives because nothing shows them, by their first word and by pointer: `list` and
 * `/next`, or `webhook` and `/status/inactive`.
 */
export type GivenForm = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** A part of the service's own form, with which a run goes on. */
export interface Learned {
  readonly question: string
  /** As the option `--set` names it, such as `list/next`. */
  readonly name: string
  readonly value: string
  /** Whether the user gave it, so that nothing had to show it. */
  readonly isGiven: boolean
}

/** The directions of a list. */
export type Direction = 'newest-first' | 'oldest-first'

type OperationOf = Pick<Operation, 'id' | 'resource' | 'record'>

/** A word of the contract, and the place where services show it. */
export interface Word {
  readonly kind: Kind
  /** The name of a field of its records. */
  readonly field: string
  readonly word: string
}

const resources: Readonly<Record<string, Resource>> = behaviour.resources
const EVENTS: ReadonlySet<string> = new Set(Object.keys(behaviour.events))

/** The first words of what can be given: these, and the names of resources. */
const OF_ALL = ['list', 'error', 'event', 'token', 'place']

/** Whether a value of `--set` says how the service writes something, and is no value of a request. */
export function isOfForm(name: string): boolean {
  return OF_ALL.includes(name) || resources[name] !== undefined
}

/** What can be said of a part of the form, as a test of its pointer and in words. */
const PLACES: Readonly<Record<string, readonly [form: RegExp, words: string]>> = {
  list: [/^\/(next|order\/\w+|items\/\w+)$/, '/next, /order/OPERATION or /items/OPERATION'],
  error: [/^\/code$/, '/code'],
  event: [/^\/[\w.]+$/, '/EVENT, such as /transfer.settled'],
  token: [/^\/\w+$/, '/RESOURCE, such as /transfer'],
  place: [/^\/\w+(\/.+)?$/, '/RESOURCE or /RESOURCE/FIELD, such as /immediateQrCode/emv'],
}
const OF_RESOURCES = [/^\/\w+\/.+$/, '/FIELD/WORD, such as /status/inactive'] as const

/** The identity whose token a service may want where the contract takes that of the partner too. */
const CUSTOMER = 'customer'

/** @throws {TypeError} if a form has a place that nothing reads, such as a misspelt one */
function requirePlace(first: string, pointer: string, value: string): void {
  if (first === 'token' && value !== CUSTOMER)
    throw new TypeError(`token${pointer} can only be "${CUSTOMER}", got "${value}"`)

  const [form, words] = PLACES[first] ?? OF_RESOURCES
  const isUnknownEvent = first === 'event' && !EVENTS.has(pointer.slice(1))
  if (!form.test(pointer) || isUnknownEvent)
    throw new TypeError(`${first} has no "${pointer}" that can be set; it has ${words}`)
}

/**
 * How the service writes what the contract only assumes: its words, its cursor, its order of lists and
 * its codes of errors. Responses are read in the form of the contract, and requests are sent in the
 * form of the service, so that a difference is reported once and hides nothing.
 */
export class OwnForm {
  readonly #learned = new Map<string, Learned>()
  /** The words of the contract by those of the service, and the other way round. */
  readonly #contractWords = new Map<string, string>()
  readonly #serviceWords = new Map<string, string>()
  /** Where records of a resource have fields of the contract: pairs of pointers in a record. */
  readonly #fields = new Map<string, readonly FieldPlace[]>()

  /** @throws {TypeError} if a given place is none that can be set */
  constructor(given: GivenForm = {}) {
    for (const [first, values] of Object.entries(given))
      for (const [pointer, value] of Object.entries(values)) {
        requirePlace(first, pointer, String(value))
        this.#give(`${first}${pointer}`, String(value))
      }
  }

  /** What was learned or given. */
  get learned(): readonly Learned[] {
    return [...this.#learned.values()]
  }

  /** The pointer of the cursor of the next page; undefined if it is the declared one. */
  get cursorPlace(): string | undefined {
    return this.#learned.get('list/next')?.value
  }

  /** The pointer of the code of a refusal; undefined if it is the declared one. */
  get codePlace(): string | undefined {
    return this.#learned.get('error/code')?.value
  }

  /** The direction of a list that differs from the declared one. */
  directionOf(list: string): Direction | undefined {
    return this.#learned.get(`list/order/${list}`)?.value as Direction | undefined
  }

  /** Whether the service takes only tokens of customers for an operation. */
  takesCustomersOnly(operation: Pick<Operation, 'id' | 'resource'>): boolean {
    return this.#learned.get(tokenName(operation))?.value === CUSTOMER
  }

  /** The word of the contract for a word of the service; the same if none is known. */
  contractWord({ kind, field, word }: Word): string {
    return this.#contractWords.get(`${kind.name}/${field}/${word}`) ?? word
  }

  /** The word of the service for a word of the contract; the same if none is known. */
  serviceWord({ kind, field, word }: Word): string {
    return this.#serviceWords.get(`${kind.name}/${field}/${word}`) ?? word
  }

  hasServiceWord({ kind, field, word }: Word): boolean {
    return this.#serviceWords.has(`${kind.name}/${field}/${word}`)
  }

  /** The event of the contract for a name of the service; the same if none is known. */
  eventOf(name: string): string {
    return this.#contractWords.get(`event/${name}`) ?? name
  }

  hasNameOf(event: string): boolean {
    return this.#serviceWords.has(`event/${event}`)
  }

  /**
   * Remembers a word of the service for one of the contract, unless either has another meaning already.
   * Returns whether it is new.
   */
  learnWord({ kind, field, word }: Word, serviceWord: string): boolean {
    const question = questionOf(kind, field)
    return this.#learnPair(`${kind.name}/${field}`, word, { serviceWord, question })
  }

  /** Remembers that the service shows a word of the contract itself, so that no other means it. */
  noteWord({ kind, field, word }: Word): void {
    const place = `${kind.name}/${field}`
    const isTaken = this.#serviceWords.has(`${place}/${word}`)
    if (!isTaken) this.#keepPair(place, word, word)
  }

  /** Remembers the name that the service has for an event, as `learnWord` does for a word. */
  learnEvent(event: string, name: string): boolean {
    const { question = 'event-kinds' } = behaviour.events[event] ?? {}
    return this.#learnPair('event', event, { serviceWord: name, question })
  }

  learnCursor(pointer: string): void {
    this.#learn({ name: 'list/next', value: pointer, question: 'paging', isGiven: false })
  }

  learnCode(pointer: string): void {
    this.#learn({ name: 'error/code', value: pointer, question: 'errors', isGiven: false })
  }

  learnDirection(list: string, direction: Direction): void {
    const name = `list/order/${list}`
    this.#learn({ name, value: direction, question: 'paging', isGiven: false })
  }

  /** Remembers that the service refuses the partner for an operation, and accepts its customer. */
  learnCustomersOnly(operation: Pick<Operation, 'id' | 'resource'>): void {
    const name = tokenName(operation)
    this.#learn({ name, value: CUSTOMER, question: 'token-permissions', isGiven: false })
  }

  /** Remembers where the service shows records, the records of a list, or a field of a record. */
  learnPlace(learned: Omit<Learned, 'isGiven'>): void {
    this.#learn({ ...learned, isGiven: false })
    this.#keepField(learned)
  }

  /** Any other part that was learned, such as the header of signatures. */
  learn(learned: Omit<Learned, 'isGiven'>): void {
    this.#learn({ ...learned, isGiven: false })
  }

  /** The body of a response in the form of the contract. */
  response(operation: OperationOf, status: number, body: unknown): unknown {
    if (status >= 400) return this.#refusal(body)
    const withCursor = this.#page(operation, this.placed(operation, body))
    return this.#withContractWords(operation, withCursor)
  }

  /** The body of a success with its records, and their fields, at the places of the contract. */
  placed(operation: OperationOf, body: unknown): unknown {
    const { record, resource } = operation
    if (!record || resource === undefined) return body

    const from = this.#otherPlaceOf(operation, body)
    const withRecords = from === undefined ? body : moved(body, from, record.pointer)
    const fields = this.#fields.get(resource) ?? []
    if (fields.length === 0) return withRecords

    const withFields = (value: unknown) =>
      hasId(value)
        ? fields.reduce((value, { pointer, place }) => moved(value, place, pointer), value)
        : value
    const records = valueAt(withRecords, record.pointer)
    const placed =
      record.isList && Array.isArray(records) ? records.map(withFields) : withFields(records)
    return withValue(withRecords, record.pointer, placed)
  }

  /** What a response shows at another place than the declared one. */
  placesIn(operation: OperationOf, body: unknown): readonly Learned[] {
    const { id, record, resource } = operation
    if (!record || resource === undefined) return []

    const places: Learned[] = []
    const name = record.isList ? `list/items/${id}` : `place/${resource}`
    const ofRecords = this.#learned.get(name)
    const isMoved = this.#otherPlaceOf(operation, body) !== undefined
    if (ofRecords && isMoved) places.push(ofRecords)
    if (record.isList) return places

    const shown = valueAt(isMoved ? moved(body, ofRecords?.value ?? '', '') : body, record.pointer)
    for (const { pointer, place } of this.#fields.get(resource) ?? []) {
      const ofField = this.#learned.get(`place/${resource}${pointer}`)
      if (ofField && valueAt(shown, place) !== undefined) places.push(ofField)
    }
    return places
  }

  /** The body of a request in the form of the service. */
  toServiceBody(operation: OperationOf, body: unknown): unknown {
    return this.#withWords(operation, body, (word) => this.serviceWord(word))
  }

  /** The body of a request in the form of the contract. */
  toContractBody(operation: OperationOf, body: unknown): unknown {
    return this.#withWords(operation, body, (word) => this.contractWord(word))
  }

  /** The query of a request in the form of the service. */
  toServiceQuery(operation: OperationOf, query: Readonly<Record<string, string>>) {
    return fieldsOf(this.toServiceBody(operation, query)) as Readonly<Record<string, string>>
  }

  #give(name: string, value: string): void {
    const [first = '', second = '', ...rest] = name.split('/')
    const word = rest.join('/')
    const kind = declaredKinds.find((declared) => declared.name === first)
    if (kind) this.#keepPair(`${first}/${second}`, word, value)
    if (first === 'event') this.#keepPair('event', second, value)
    this.#keepField({ name, value })
    this.#learned.set(name, {
      name,
      value,
      question: kind ? questionOf(kind, second) : (QUESTIONS[first] ?? ''),
      isGiven: true,
    })
  }

  /** Where a response shows its records; undefined if that is the declared place, or not known. */
  #otherPlaceOf({ id, record, resource }: OperationOf, body: unknown): string | undefined {
    const name = record?.isList ? `list/items/${id}` : `place/${resource}`
    const place = this.#learned.get(name)?.value
    if (place === undefined || valueAt(body, place) === undefined) return undefined

    const declared = valueAt(body, record?.pointer ?? '')
    const isDeclared = record?.isList ? Array.isArray(declared) : hasId(declared)
    return isDeclared ? undefined : place
  }

  /** Keeps the place of a field, if a name is that of one. */
  #keepField({ name, value: place }: Pick<Learned, 'name' | 'value'>): void {
    const [, resource = '', pointer] = /^place\/(\w+)(\/.+)$/.exec(name) ?? []
    if (pointer === undefined) return
    const known = this.#fields.get(resource) ?? []
    const isKnown = known.some((field) => field.pointer === pointer)
    if (!isKnown) this.#fields.set(resource, [...known, { pointer, place }])
  }

  #learn(learned: Learned): void {
    if (!this.#learned.has(learned.name)) this.#learned.set(learned.name, learned)
  }

  #learnPair(
    place: string,
    word: string,
    { serviceWord, question }: { readonly serviceWord: string; readonly question: string },
  ): boolean {
    const isTaken =
      this.#serviceWords.has(`${place}/${word}`) ||
      this.#contractWords.has(`${place}/${serviceWord}`)
    if (isTaken) return false

    this.#keepPair(place, word, serviceWord)
    const name = `${place}/${word}`
    this.#learned.set(name, { name, value: serviceWord, question, isGiven: false })
    return true
  }

  #keepPair(place: string, word: string, serviceWord: string): void {
    this.#serviceWords.set(`${place}/${word}`, serviceWord)
    this.#contractWords.set(`${place}/${serviceWord}`, word)
  }

  #refusal(body: unknown): unknown {
    const place = this.codePlace
    if (place === undefined || stringAt(body, '/code') !== undefined) return body
    const code = stringAt(body, place)
    return code === undefined ? body : { ...fieldsOf(body), code }
  }

  /** With the cursor at its declared place: null on the last page. */
  #page({ id }: OperationOf, body: unknown): unknown {
    const place = this.cursorPlace
    const next = behaviour.lists[id]?.pages?.next
    if (place === undefined || next === undefined || valueAt(body, next) !== undefined) return body
    return withValue(body, next, cursorIn(valueAt(body, place)) ?? null)
  }

  #withContractWords(operation: OperationOf, body: unknown): unknown {
    const { record } = operation
    if (this.#contractWords.size === 0 || !record) return body

    const ofContract = (value: unknown) =>
      this.#withWords(operation, value, (word) => this.contractWord(word))
    const records = valueAt(body, record.pointer)
    if (!record.isList) return withValue(body, record.pointer, ofContract(records))
    return Array.isArray(records) ? withValue(body, record.pointer, records.map(ofContract)) : body
  }

  /** An object with other words in the fields that have them. */
  #withWords({ resource }: OperationOf, value: unknown, wordOf: (word: Word) => string): unknown {
    const kind = declaredKinds.find(({ name }) => name === resource)
    if (!kind || !isObject(value) || this.#serviceWords.size === 0) return value

    const fields = Object.entries(value).map(([field, word]) => [
      field,
      typeof word === 'string' ? wordOf({ kind, field, word }) : word,
    ])
    return Object.fromEntries(fields)
  }
}

/** The questions of what is given for all resources. */
const QUESTIONS: Readonly<Record<string, string>> = {
  list: 'paging',
  error: 'errors',
  event: 'event-kinds',
  token: 'token-permissions',
  place: 'qr-record',
}

/** One name for all operations on a resource, which take the same tokens. */
function tokenName({ id, resource = id }: Pick<Operation, 'id' | 'resource'>): string {
  return `token/${resource}`
}

/** The question about the words of a field: that of its states, or of the field itself. */
function questionOf({ name, resource }: Kind, field: string): string {
  const [state] = Object.values(resource.states ?? {})
  if (field === 'status' && state?.question !== undefined) return state.question
  return field === 'type' && name === 'webhook' ? 'webhook-types' : (resource.question ?? '')
}

/** Whether a value is a record. */
export function hasId(value: unknown): boolean {
  return (stringAt(value, '/id') ?? '') !== ''
}

/** A field of the contract, and where a record shows it. */
interface FieldPlace {
  readonly pointer: string
  readonly place: string
}

/** A body with the value of one place at another one. What is around a record is left out. */
function moved(body: unknown, from: string, to: string): unknown {
  const value = valueAt(body, from)
  return value === undefined ? body : withValue(withValue(body, from, undefined), to, value)
}

/** The cursor in a value: a string, a number, or the parameter of a URL. */
function cursorIn(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string' || value === '') return undefined
  if (!/^(https?:|\/|\?)/.test(value)) return value
  return new URL(value, 'http://service.example').searchParams.get('cursor') ?? undefined
}

/** What a page may have as its cursor: its values beside the records, with their pointers. */
export function cursorCandidates(list: string, body: unknown): readonly [string, string][] {
  const { items = '' } = behaviour.lists[list] ?? {}
  const beside = withValue(body, items, undefined)
  return leavesOf(beside).flatMap(([pointer, value]) => {
    const cursor = cursorIn(value)
    return cursor === undefined ? [] : [[pointer, cursor]]
  })
}

/** Whether a name is that of an event of the contract. */
export function isDeclaredEvent(name: string): boolean {
  return EVENTS.has(name)
}
