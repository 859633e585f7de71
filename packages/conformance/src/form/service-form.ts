import { behaviour, findDeclaredList } from '../contract/behaviour.ts'
import type { Operation } from '../contract/contract.ts'
import { fieldsOf, isObject, stringAt, valueAt, withValue } from '../contract/json.ts'
import { declaredKinds, type Kind } from '../contract/kinds.ts'
import type { Intent, ReceivedResponse } from '../history.ts'
import { isUrl, listCursorCandidates, readCursor } from './cursors.ts'
import { CUSTOMER, type GivenForm, LINK_HEADER, requireSettable } from './given-form.ts'
import { findNextTargets } from './link-header.ts'
import { type LinkedPage, LinkedPages, readLinkedPage } from './linked-pages.ts'
import { CREATION_WITH_MODALITIES, ModalityWords } from './modality-words.ts'
import { UnnamedFields } from './unnamed-fields.ts'
import { UnreadPages } from './unread-pages.ts'

/** One thing that is known of the service's own form: `{ name: 'list/next', value: '/next', … }`. */
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

/** What the form reads of an operation. */
export type FormOperation = Pick<Operation, 'id' | 'resource' | 'record' | 'field' | 'status'>

/** What the form reads of the response of a list, beside its body. */
export interface ListResponse {
  /** The path of the request, without its query. */
  readonly path: string
  /** The query of the request, in the form of the contract. */
  readonly query: Readonly<Record<string, string>>
  readonly headers: ReceivedResponse['headers']
}

/** A response without what only lists have. */
const NO_LIST: ListResponse = { path: '', query: {}, headers: {} }

/** A word of the contract, and the place where services show it. */
export interface Word {
  readonly kind: Kind
  /** The name of a field of its records. */
  readonly field: string
  readonly word: string
}

/**
 * How the service writes what the contract only assumes: its words, its cursor, its order of lists and
 * its codes of errors. Responses are read in the form of the contract, and requests are sent in the
 * form of the service, so that a difference is reported once and hides nothing.
 *
 * If the service calls an inactive webhook `paused`, it is learned as `webhook/status/inactive` with the
 * value `paused`. Responses are then read with `inactive`, and requests are sent with `paused`.
 */
export class ServiceForm {
  /** By name. */
  readonly #learned = new Map<string, Learned>()
  /** Words by `<kind>/<field>/<word>`, or by `event/<name>`: from service to contract, and back. */
  readonly #contractWords = new Map<string, string>()
  readonly #serviceWords = new Map<string, string>()
  /** By resource: the fields that its records show at other places than the contract says. */
  readonly #fieldPlaces = new Map<string, readonly FieldPlace[]>()

  /** The words of requests for modalities. */
  readonly modalityWords = new ModalityWords()
  /** What new records have shown in fields that the contract does not declare. */
  readonly unnamedFields = new UnnamedFields()
  /** By resource: the pointers of fields that new records have not shown where they are looked for. */
  readonly #unfound = new Map<string, Set<string>>()
  /** The resources of which the service has accepted an id in a path. */
  readonly #resourcesWithSureId = new Set<string>()

  /** The links to next pages that responses had. */
  readonly linkedPages = new LinkedPages()
  /** The lists of which no second page was read. */
  readonly unreadPages = new UnreadPages()

  /** Whether a page has shown what `list/next` names, which the user may have given by mistake. */
  #isCursorPlaceSure = false
  readonly #baseUrl: string

  /**
   * @param baseUrl Where the service is. Links to another host lead to no page. Default: not known, so that only
   *   relative links do.
   * @throws {GivenFormError} if a given place is none that can be set
   */
  constructor(given: GivenForm = {}, baseUrl = 'http://service.invalid') {
    this.#baseUrl = baseUrl
    for (const [first, values] of Object.entries(given))
      for (const [pointer, value] of Object.entries(values)) {
        requireSettable(first, pointer, String(value))
        this.#give(`${first}${pointer}`, String(value))
      }
  }

  /** What was learned or given. */
  get learned(): readonly Learned[] {
    return [...this.#learned.values()]
  }

  /** The pointer of the cursor of the next page; undefined if it is the declared one, or if a header links the page. */
  get cursorPlace(): string | undefined {
    return this.isLinked ? undefined : this.#learned.get('list/next')?.value
  }

  /** Whether a header Link leads to the next page. */
  get isLinked(): boolean {
    return this.#learned.get('list/next')?.value === LINK_HEADER
  }

  /** Finds the first of some links that leads to another page of the list at a path. */
  findLinkedPage(links: readonly string[], path: string): LinkedPage | undefined {
    for (const link of links) {
      const linkedPage = readLinkedPage(link, { path, baseUrl: this.#baseUrl })
      if (linkedPage) return linkedPage
    }
    return undefined
  }

  /** Lists the values of a page that may be its cursor, as `listCursorCandidates` does. */
  listCursorCandidates(list: string, path: string, body: unknown) {
    return listCursorCandidates(list, body, (url) => this.findLinkedPage([url], path))
  }

  /** The pointer of the code of a refusal; undefined if it is the declared one. */
  get codePlace(): string | undefined {
    return this.#learned.get('error/code')?.value
  }

  /** The scheme in which the service takes its tokens; undefined if it is the declared one. */
  get tokenScheme(): string | undefined {
    return this.#learned.get('authorization/scheme')?.value
  }

  /**
   * Swaps the scheme of the service's tokens and that of the contract in a header, in both directions: `Token x`
   * and `Bearer x`, or `x` alone and `Bearer x`. A header in another scheme stays as it is.
   */
  swapScheme(authorization: string | undefined): string | undefined {
    const scheme = this.tokenScheme
    if (scheme === undefined || authorization === undefined) return authorization
    if (scheme === NO_SCHEME) return swapSchemeAndNone(authorization)

    const [sentScheme = '', ...rest] = authorization.split(' ')
    return [swapSchemes(sentScheme, scheme, DECLARED_SCHEME), ...rest].join(' ')
  }

  /** Finds the direction of a list that differs from the declared one. */
  findDirection(list: string): Direction | undefined {
    return this.#learned.get(`list/order/${list}`)?.value as Direction | undefined
  }

  /** Whether the service takes only tokens of customers for an operation. */
  takesCustomersOnly(operation: Pick<Operation, 'id' | 'resource'>): boolean {
    return this.#learned.get(buildTokenName(operation))?.value === CUSTOMER
  }

  /** Whether a run has seen that the service takes only tokens of customers. What the user gave is no evidence. */
  hasSeenCustomersOnly(operation: Pick<Operation, 'id' | 'resource'>): boolean {
    const learned = this.#learned.get(buildTokenName(operation))
    return learned?.value === CUSTOMER && !learned.isGiven
  }

  /** Translates a word of the service into that of the contract; the same if none is known. */
  toContractWord({ kind, field, word }: Word): string {
    return this.#contractWords.get(`${kind.name}/${field}/${word}`) ?? word
  }

  /** Translates a word of the contract into that of the service; the same if none is known. */
  toServiceWord({ kind, field, word }: Word): string {
    return this.#serviceWords.get(`${kind.name}/${field}/${word}`) ?? word
  }

  /** Whether it is known how the service writes a word of the contract. */
  hasServiceWord({ kind, field, word }: Word): boolean {
    return this.#serviceWords.has(`${kind.name}/${field}/${word}`)
  }

  /** Translates the service's name of an event into that of the contract; the same if none is known. */
  toContractEvent(name: string): string {
    return this.#contractWords.get(`event/${name}`) ?? name
  }

  /** Whether it is known how the service names an event of the contract. */
  hasServiceEvent(event: string): boolean {
    return this.#serviceWords.has(`event/${event}`)
  }

  /** Remembers a word of the service for one of the contract, unless either has another meaning already. */
  learnWord({ kind, field, word }: Word, serviceWord: string): void {
    const question = findWordQuestion(kind, field)
    this.#learnPair(`${kind.name}/${field}`, word, { serviceWord, question })
  }

  /** Remembers that the service shows a word of the contract itself, so that no other means it. */
  noteWord({ kind, field, word }: Word): void {
    const place = `${kind.name}/${field}`
    const isTaken = this.#serviceWords.has(`${place}/${word}`)
    if (!isTaken) this.#rememberPair(place, word, word)
  }

  /** Remembers the name that the service has for an event, as `learnWord` does for a word. */
  learnEvent(event: string, name: string): void {
    const { question = 'event-kinds' } = behaviour.events[event] ?? {}
    this.#learnPair('event', event, { serviceWord: name, question })
  }

  /** Notes that a page has shown a cursor, or null, at `cursorPlace`, or a header Link if pages are linked. */
  noteCursorPlace(): void {
    this.#isCursorPlaceSure = true
  }

  learnCursor(pointer: string): void {
    this.#isCursorPlaceSure = true
    this.#remember({ name: 'list/next', value: pointer, question: 'paging' })
  }

  /** Remembers that a header Link leads to the next page. */
  learnLinkHeader(): void {
    this.learnCursor(LINK_HEADER)
  }

  /** Remembers the scheme in which the service takes its tokens, such as `Token` or `NO_SCHEME`. */
  learnScheme(scheme: string): void {
    this.#remember({ name: 'authorization/scheme', value: scheme, question: 'auth-scheme' })
  }

  learnCode(pointer: string): void {
    this.#remember({ name: 'error/code', value: pointer, question: 'errors' })
  }

  learnDirection(list: string, direction: Direction): void {
    const name = `list/order/${list}`
    this.#remember({ name, value: direction, question: 'paging' })
  }

  /** Remembers that the service refuses the partner for an operation, and accepts its customer. */
  learnCustomersOnly(operation: Pick<Operation, 'id' | 'resource'>): void {
    const name = buildTokenName(operation)
    this.#remember({ name, value: CUSTOMER, question: 'token-permissions' })
  }

  /** Remembers where the service shows records, the records of a list, or a field of a record. */
  learnPlace(learned: Omit<Learned, 'isGiven'>): void {
    this.#remember(learned)
    this.#rememberFieldPlace(learned)
  }

  /** Remembers another place than the one that was learned before, unless the user has given that. */
  relearnPlace(learned: Omit<Learned, 'isGiven'>): void {
    const before = this.#learned.get(learned.name)
    const isOtherPlace = before?.isGiven === false && before.value !== learned.value
    // `learnPlace` would keep what is known.
    if (isOtherPlace) this.#learned.delete(learned.name)
    this.learnPlace(learned)
  }

  /** The pointer at which records show their id; undefined if it is the declared one. */
  findIdPlace(resource: string): string | undefined {
    return this.#learned.get(`place/${resource}/id`)?.value
  }

  /** Whether a value is a record: it shows an id, where the contract declares it or at the learned place. */
  hasId(resource: string, value: unknown): boolean {
    const place = this.findIdPlace(resource)
    return hasDeclaredId(value) || (place !== undefined && isText(valueAt(value, place)))
  }

  /** Notes that the service has accepted the id of a record in a path. */
  noteAcceptedId(resource: string): void {
    this.#resourcesWithSureId.add(resource)
  }

  /**
   * Whether the place of the ids of a resource was guessed, and no request with one was accepted yet. A refusal may
   * then mean that it is another value.
   */
  isIdGuessed(resource: string): boolean {
    const place = this.#learned.get(`place/${resource}/id`)
    return place !== undefined && !place.isGiven && !this.#resourcesWithSureId.has(resource)
  }

  /** Notes whether a new record shows a field where it is looked for. */
  noteShown(resource: string, pointer: string, isShown: boolean): void {
    const unfound = this.#unfound.get(resource) ?? new Set()
    if (isShown) unfound.delete(pointer)
    else unfound.add(pointer)
    this.#unfound.set(resource, unfound)
  }

  /** Whether the last new record did not show a field, such as `/id`, and no other place of it is known. */
  isUnfound(resource: string, pointer: string): boolean {
    const isUnfound = this.#unfound.get(resource)?.has(pointer) ?? false
    return isUnfound && !this.#learned.has(`place/${resource}${pointer}`)
  }

  /** Remembers how the service signs deliveries, in words, such as `sha256 of the body in x-signature`. */
  learnSignature(scheme: string): void {
    this.#remember({ name: 'signature', value: scheme, question: 'signature' })
  }

  /** Rewrites the body of a response in the form of the contract: its places, its cursor or code, and its words. */
  toContractResponse(
    operation: FormOperation,
    status: number,
    body: unknown,
    response: ListResponse = NO_LIST,
  ): unknown {
    if (status >= 400) return this.#moveCode(body)
    const pageBody = this.moveToDeclaredPlaces(operation, body)
    const withCursor = this.#moveCursor(operation, pageBody, response)
    return this.#replaceServiceWords(operation, withCursor)
  }

  /**
   * The body of a successful response with its records, and their fields, at the places that the contract
   * declares: `{ result: { code } }` becomes `{ data: { emv } }`. Only places that were learned are moved.
   */
  moveToDeclaredPlaces(operation: FormOperation, body: unknown): unknown {
    const { record, resource } = operation
    if (!record || resource === undefined) return body

    // First the records as a whole: `{ result: { code } }` becomes `{ data: { code } }`.
    const place = this.#findOtherPlace(operation, body)
    const withRecords = place === undefined ? body : moveValue(body, place, record.pointer)

    // Then the fields inside of each: `{ code }` becomes `{ emv }`.
    const fieldPlaces = this.#fieldPlaces.get(resource)
    if (!fieldPlaces) return withRecords

    // A field that the contract declares stays where it is: a `tx_id` may also be the id.
    const { field, status } = operation
    const recordPointer = record.isList ? `${record.pointer}/0` : record.pointer
    const fields = fieldPlaces.map((each) => ({
      ...each,
      isDeclared: each.pointer === '/id' && field(status, recordPointer + each.place) !== undefined,
    }))
    const records = valueAt(withRecords, record.pointer)
    const isList = record.isList && Array.isArray(records)
    const movedRecords = isList
      ? records.map((item) => moveFields(item, fields))
      : moveFields(records, fields)
    return withValue(withRecords, record.pointer, movedRecords)
  }

  /**
   * Lists the learned places at which this response shows its records, or fields of its record:
   * `[{ name: 'place/transfer', value: '/result', … }]`. Empty if all is where the contract declares it.
   */
  listOtherPlaces(operation: FormOperation, body: unknown): readonly Learned[] {
    const { record, resource } = operation
    if (!record || resource === undefined) return []

    const otherPlace = this.#findOtherPlace(operation, body)
    const placeOfRecords = this.#learned.get(buildPlaceName(operation))
    const places = otherPlace !== undefined && placeOfRecords ? [placeOfRecords] : []
    // Of a list, the fields of each record are not looked through.
    if (record.isList) return places

    const shownRecord = valueAt(body, otherPlace ?? record.pointer)
    return [...places, ...this.#listOtherFieldPlaces(resource, shownRecord)]
  }

  /** Lists the places at which a record shows fields unlike the contract. */
  #listOtherFieldPlaces(resource: string, shownRecord: unknown): readonly Learned[] {
    const places: Learned[] = []
    for (const { pointer, place } of this.#fieldPlaces.get(resource) ?? []) {
      const placeOfField = this.#learned.get(`place/${resource}${pointer}`)
      const isShownThere = valueAt(shownRecord, place) !== undefined
      if (placeOfField && isShownThere) places.push(placeOfField)
    }
    return places
  }

  /**
   * Rewrites the body of a request in the form of the service.
   *
   * @param intent Which fields a plan has edited.
   */
  toServiceBody(operation: FormOperation, body: unknown, intent?: Intent): unknown {
    const written = this.#replaceWords(operation, body, (word) => this.toServiceWord(word))
    if (operation.id !== CREATION_WITH_MODALITIES) return written
    return this.modalityWords.toServiceBody(written, intent)
  }

  /** Rewrites the body of a request, or a record, in the words of the contract. */
  toContractBody(operation: FormOperation, body: unknown): unknown {
    return this.#replaceWords(operation, body, (word) => this.toContractWord(word))
  }

  /** Rewrites the query of a request in the form of the service. */
  toServiceQuery(operation: FormOperation, query: Readonly<Record<string, string>>) {
    return fieldsOf(this.toServiceBody(operation, query)) as Readonly<Record<string, string>>
  }

  /** Remembers what the user says of the service: of `--set list/next=/cursor`, the name is `list/next`. */
  #give(name: string, value: string): void {
    const [first = '', second = ''] = name.split('/')
    const kind = declaredKinds.find((declared) => declared.name === first)
    if (kind) {
      this.#giveWord(kind, name, value)
      return
    }

    const question = QUESTIONS[first] ?? ''
    this.#learned.set(name, { name, value, question, isGiven: true })
    // `event/transfer.settled=paid`
    if (first === 'event') this.#rememberPair('event', second, value)
    // `place/transfer/description=/note`
    if (first === 'place') this.#rememberFieldPlace({ name, value })
  }

  /** Remembers the service's word for one of the contract: `paused` for the name `webhook/status/inactive`. */
  #giveWord(kind: Kind, name: string, serviceWord: string): void {
    const [, field = '', ...wordParts] = name.split('/')
    const question = findWordQuestion(kind, field)
    this.#learned.set(name, { name, value: serviceWord, question, isGiven: true })
    this.#rememberPair(`${kind.name}/${field}`, wordParts.join('/'), serviceWord)
  }

  /**
   * Finds the learned place at which a response shows its records, such as `/result`. Undefined if they
   * are at the declared place, or nothing is at the learned one.
   */
  #findOtherPlace(operation: FormOperation, body: unknown): string | undefined {
    const { record, resource = '' } = operation
    const place = this.#learned.get(buildPlaceName(operation))?.value
    if (!record || place === undefined || valueAt(body, place) === undefined) return undefined

    const declaredValue = valueAt(body, record.pointer)
    const isAtDeclaredPlace = record.isList
      ? Array.isArray(declaredValue)
      : this.hasId(resource, declaredValue)
    return isAtDeclaredPlace ? undefined : place
  }

  /** Remembers the place of a field, if the name is `place/<resource>/<field>`. */
  #rememberFieldPlace({ name, value: place }: Pick<Learned, 'name' | 'value'>): void {
    const [, resource = '', pointer] = /^place\/(\w+)(\/.+)$/.exec(name) ?? []
    if (pointer === undefined) return
    const places = this.#fieldPlaces.get(resource) ?? []
    const isAlreadyKnown = places.some((field) => field.pointer === pointer)
    if (!isAlreadyKnown) this.#fieldPlaces.set(resource, [...places, { pointer, place }])
  }

  /** Remembers what the service showed, unless that is known already or the user has given it. */
  #remember(learned: Omit<Learned, 'isGiven'>): void {
    const isKnown = this.#learned.has(learned.name)
    if (!isKnown) this.#learned.set(learned.name, { ...learned, isGiven: false })
  }

  /**
   * Learns that the service writes `serviceWord` for a word of the contract, unless either of the two has
   * a counterpart already.
   *
   * @param place Where the words stand, such as `webhook/status`, or `event`.
   * @param word The word of the contract, such as `inactive`.
   */
  #learnPair(
    place: string,
    word: string,
    { serviceWord, question }: { readonly serviceWord: string; readonly question: string },
  ): void {
    const isTaken =
      this.#serviceWords.has(`${place}/${word}`) ||
      this.#contractWords.has(`${place}/${serviceWord}`)
    if (isTaken) return

    this.#rememberPair(place, word, serviceWord)
    const name = `${place}/${word}`
    this.#learned.set(name, { name, value: serviceWord, question, isGiven: false })
  }

  #rememberPair(place: string, word: string, serviceWord: string): void {
    this.#serviceWords.set(`${place}/${word}`, serviceWord)
    this.#contractWords.set(`${place}/${serviceWord}`, word)
  }

  /**
   * Moves the code of a refusal to the declared place: `{ error: { code: 'x' } }` becomes
   * `{ error: { code: 'x' }, code: 'x' }`. The body stays as it is if its code is there, or nowhere.
   */
  #moveCode(body: unknown): unknown {
    const place = this.codePlace
    if (place === undefined || stringAt(body, '/code') !== undefined) return body
    const code = stringAt(body, place)
    return code === undefined ? body : { ...fieldsOf(body), code }
  }

  /** Copies the cursor of a page from the learned place, or from the header Link, to the declared place. */
  #moveCursor(operation: FormOperation, body: unknown, response: ListResponse): unknown {
    const pages = findDeclaredList({ operation })?.pages
    if (!pages) return body

    const isAtDeclaredPlace = valueAt(body, pages.next) !== undefined
    if (isAtDeclaredPlace) return body
    const cursor = this.isLinked
      ? this.#readLink(response)
      : this.#readCursorAtPlace(body, response)
    return cursor === undefined ? body : withValue(body, pages.next, cursor)
  }

  /** Reads the cursor of the next page from a header Link. Without such a link, the page is the last one: null. */
  #readLink({ headers, path }: ListResponse): string | null | undefined {
    const targets = findNextTargets(headers.link)
    if (targets.length > 0) return this.findLinkedPage(targets, path)?.cursor
    // What the user said by mistake must not make each page the last one.
    return this.#isCursorPlaceSure ? null : undefined
  }

  /**
   * Reads the cursor of the next page at the learned place. A page that shows none there is the last one, for
   * which the contract declares null. Undefined if no place is known, or it shows a URL without a cursor that leads
   * elsewhere.
   */
  #readCursorAtPlace(body: unknown, { path }: ListResponse): string | null | undefined {
    const place = this.cursorPlace
    if (place === undefined) return undefined

    const shown = valueAt(body, place)
    // A place that the user gave by mistake shows nothing, which must not make each page the last one.
    if (shown === undefined && !this.#isCursorPlaceSure) return undefined

    const cursor = readCursor(shown, (url) => this.findLinkedPage([url], path))
    const leadsElsewhere = cursor === undefined && typeof shown === 'string' && isUrl(shown)
    return leadsElsewhere ? undefined : (cursor ?? null)
  }

  /**
   * The body of a successful response with the service's own words in its records replaced by those of the
   * contract: `paused` by `inactive`.
   */
  #replaceServiceWords(operation: FormOperation, body: unknown): unknown {
    const { record } = operation
    if (this.#contractWords.size === 0 || !record) return body

    const shown = valueAt(body, record.pointer)
    if (!record.isList)
      return withValue(body, record.pointer, this.toContractBody(operation, shown))
    if (!Array.isArray(shown)) return body

    const records = shown.map((item) => this.toContractBody(operation, item))
    return withValue(body, record.pointer, records)
  }

  /**
   * A record, or the body of a request, with each string in its fields replaced by its translation. A word
   * without a translation stays as it is.
   */
  #replaceWords(
    { resource }: FormOperation,
    value: unknown,
    translate: (word: Word) => string,
  ): unknown {
    const kind = declaredKinds.find(({ name }) => name === resource)
    if (!kind || !isObject(value) || this.#serviceWords.size === 0) return value

    const fields = Object.entries(value).map(([field, word]) => [
      field,
      typeof word === 'string' ? translate({ kind, field, word }) : word,
    ])
    return Object.fromEntries(fields)
  }
}

/** The open question about each first word of given values. */
const QUESTIONS: Readonly<Record<string, string>> = {
  list: 'paging',
  error: 'errors',
  event: 'event-kinds',
  token: 'token-permissions',
  authorization: 'auth-scheme',
  place: 'qr-record',
}

/** Stands for a header that is the token alone. */
export const NO_SCHEME = 'none'

/** The scheme in which the contract sends tokens. */
const DECLARED_SCHEME = 'Bearer'

/** Adds the declared scheme to a token alone, or removes it: `x` becomes `Bearer x`, and `Bearer x` becomes `x`. */
function swapSchemeAndNone(authorization: string): string {
  const [scheme = '', ...rest] = authorization.split(' ')
  const isTokenAlone = rest.length === 0
  if (isTokenAlone) return `${DECLARED_SCHEME} ${authorization}`

  const isDeclared = scheme.toLowerCase() === DECLARED_SCHEME.toLowerCase()
  return isDeclared ? rest.join(' ') : authorization
}

/**
 * Replaces one of two schemes by the other one: `Token` by `Bearer`, and `Bearer` by `Token`. Another scheme stays. A
 * scheme in small letters is replaced by one in small letters, since a service need not take these.
 */
function swapSchemes(scheme: string, one: string, other: string): string {
  if (scheme === one) return other
  if (scheme === other) return one

  // The same schemes in other letters, such as `BEARER` or `bearer` (RFC 9110, section 11.1).
  const small = scheme.toLowerCase()
  const isSmall = scheme === small
  if (small === one.toLowerCase()) return isSmall ? other.toLowerCase() : other
  if (small === other.toLowerCase()) return isSmall ? one.toLowerCase() : one
  return scheme
}

/** Builds the name of the place of the records of a list, or of the one record of a response. */
function buildPlaceName({ id, record, resource }: FormOperation): string {
  return record?.isList ? `list/items/${id}` : `place/${resource}`
}

/** Builds the name of what is learned of tokens: `token/transfer` for all operations on transfers. */
function buildTokenName({ id, resource = id }: Pick<Operation, 'id' | 'resource'>): string {
  return `token/${resource}`
}

/**
 * Finds the open question about the words of a field, which the source document does not list: that of the states
 * of a record, or else that of the record itself.
 */
function findWordQuestion({ name, resource }: Kind, field: string): string {
  // The first state stands for all of them.
  const [state] = Object.values(resource.states ?? {})
  if (field === 'status' && state?.question !== undefined) return state.question
  if (field === 'type' && name === 'webhook') return 'webhook-types'
  return resource.question ?? ''
}

/** Whether a value has an id where the contract declares it. */
export function hasDeclaredId(value: unknown): boolean {
  return isText(valueAt(value, '/id'))
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/** A field of the contract, and where a record shows it. */
interface FieldPlace {
  readonly pointer: string
  readonly place: string
}

/** A record with its fields at the declared places. */
function moveFields(
  value: unknown,
  fields: readonly (FieldPlace & { readonly isDeclared: boolean })[],
): unknown {
  if (!isObject(value)) return value

  let record: unknown = value
  for (const { pointer, place, isDeclared } of fields) {
    const shown = valueAt(record, place)
    if (!isDeclared) record = moveValue(record, place, pointer)
    else if (shown !== undefined) record = withValue(record, pointer, shown)
  }
  return record
}

/**
 * A body with a value at another place. If that place is the body itself, what is around the value is
 * left out.
 */
function moveValue(body: unknown, from: string, to: string): unknown {
  const value = valueAt(body, from)
  return value === undefined ? body : withValue(withValue(body, from, undefined), to, value)
}
