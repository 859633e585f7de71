import { behaviour, findDeclaredList } from '../contract/behaviour.ts'
import { fieldsOf, findOnlyItem, leavesOf, stringAt, valueAt } from '../contract/json.ts'
import { findAction, findState, findTransition, type ShownRecord } from '../contract/kinds.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Records } from '../model/record-history.ts'
import { listPossibleValues } from '../model/records.ts'
import { schemeOf, type Tokens } from '../model/tokens.ts'
import type { Walks } from '../model/walks.ts'
import { learnLinks } from './learn-links.ts'
import { learnPlaces } from './places.ts'
import { type Direction, NO_SCHEME, type ServiceForm } from './service-form.ts'

/** What is known before an exchange, and the form that is learned. */
interface LearningContext {
  readonly form: ServiceForm
  readonly records: Records
  readonly tokens: Tokens
  readonly walks: Walks
}

/**
 * Learns from an exchange how the service writes what the contract only assumes: its words, its fields,
 * its cursor and the order of its lists. Returns whether anything is new, so that the exchange has to be
 * read again.
 */
export function learnFrom(exchange: Exchange, context: LearningContext): boolean {
  const { outcome, operation, responder } = exchange
  const { form } = context
  // A gateway in front of the service writes in its own way.
  if (!operation || responder === 'gateway') return false

  // Each part is an object, which stays the same one until it is learned again.
  const before = new Set(form.learned)
  if (outcome === 'refused') learnCode(exchange, form)
  if (outcome === 'accepted') {
    learnScheme(exchange, context)
    const namesRecord = Object.keys(exchange.parameters).length > 0
    if (namesRecord && operation.resource !== undefined) form.noteAcceptedId(operation.resource)
    learnPlaces(operation, exchange, form)
    for (const record of exchange.records) learnWords(record, exchange, context)
    learnCursor(exchange, context)
    learnDirection(exchange, context)
  }

  const isAnythingNew = form.learned.some((learned) => !before.has(learned))
  return isAnythingNew
}

/**
 * Learns the scheme in which the service takes its tokens, such as `Token` in place of the declared `Bearer`, from the
 * first accepted request with a token: its header is the token alone, or has the type of the token as its scheme.
 */
function learnScheme({ token, authorization }: Exchange, { form, tokens }: LearningContext): void {
  // An earlier accepted request has shown the scheme.
  if (token?.kind !== 'access' || tokens.wasAnyAccepted) return

  // In small letters; empty if the header is the token alone.
  const scheme = schemeOf(authorization)
  if (scheme === 'bearer') return
  if (scheme === '') form.learnScheme(NO_SCHEME)
  else if (scheme === token.type?.toLowerCase()) form.learnScheme(token.type)
}

/**
 * Learns where refusals show their code, if one has a declared code at one other place: `/error/code` from
 * `{ error: { code: 'not_found' } }`.
 */
function learnCode({ responseBody }: Exchange, form: ServiceForm): void {
  const isAtDeclaredPlace = stringAt(responseBody, '/code') !== undefined
  if (isAtDeclaredPlace || form.codePlace !== undefined) return

  const isCode = (value: unknown) => Object.hasOwn(behaviour.refusals, String(value))
  const match = findOnlyItem(leavesOf(responseBody, '', isCode))
  if (!match) return

  const [pointer] = match
  form.learnCode(pointer)
}

/**
 * Learns the service's own words in a record: strings in fields for which the contract has an enum without
 * them. A word is learned if it is clear which word of the enum it means.
 */
function learnWords(shown: ShownRecord, exchange: Exchange, context: LearningContext): void {
  const { kind, fields } = shown
  const { form } = context
  for (const [field, shownWord] of Object.entries(fields)) {
    if (typeof shownWord !== 'string') continue

    if (hasUndeclaredWord(field, shown, exchange)) {
      const word = findMeaning(field, shown, exchange, context)
      if (word !== undefined) form.learnWord({ kind, field, word }, shownWord)
      continue
    }

    // A status of the contract that the service uses itself cannot be the meaning of another word.
    if (field === 'status') form.noteWord({ kind, field, word: shownWord })
  }
}

/**
 * Whether a field of a shown record has a word that its enum in the contract does not have, such as
 * `{ status: 'paused' }` of a webhook, which is `active` or `inactive` in the contract.
 */
function hasUndeclaredWord(field: string, shown: ShownRecord, { differences }: Exchange): boolean {
  const { kind, at, fields } = shown
  const isState = field === 'status' && kind.resource.states !== undefined
  // Not left to the validator, which does not name all differences of a long list.
  if (isState) return findState(kind, fields.status) === undefined
  return differsFromEnum(differences, `${at}/${field}`)
}

/** Whether the value at a place is none of its enum. */
function differsFromEnum(differences: Exchange['differences'], place: string): boolean {
  return differences.some(({ keyword, pointer }) => keyword === 'enum' && pointer === place)
}

/**
 * Finds the word of the contract that a shown word must mean: the word that the request sent in this
 * field, or, for a status, the only state that the record can have now. Undefined if that is not clear.
 */
function findMeaning(
  field: string,
  shown: ShownRecord,
  exchange: Exchange,
  context: LearningContext,
): string | undefined {
  const action = findAction(shown.kind, exchange.operation?.id)
  const sentWord = fieldsOf(exchange.requestBody)[field]
  const isWrite = action === 'create' || action === 'update'
  if (isWrite && typeof sentWord === 'string') {
    // An invalid variant sends a word that the contract does not have, which has no meaning in it.
    const isDeclaredWord = !differsFromEnum(exchange.requestDifferences, `/${field}`)
    return isDeclaredWord ? sentWord : undefined
  }

  // Of other fields, only what was sent tells the meaning.
  return field === 'status' ? findOnlyState(action, shown, context) : undefined
}

/**
 * Finds the only state that a record can have after an action: the initial one after a creation, else the
 * only one that the declared transitions allow and for which the service has no word yet. Undefined if
 * several are possible.
 */
function findOnlyState(
  action: string | undefined,
  shown: ShownRecord,
  { form, records }: LearningContext,
): string | undefined {
  const { kind } = shown
  if (action === 'create') return findOnlyItem(kind.resource.initial ?? [])

  const possibleStates = listStatesAfter(action, shown, records)
  const statesWithoutWord = possibleStates.filter(
    (word) => !form.hasServiceWord({ kind, field: 'status', word }),
  )
  return findOnlyItem(statesWithoutWord)
}

/**
 * Lists the declared states that a record may have after an action, by those that it may have had before: after
 * the `cancel` of an open QR code, `['REMOVIDA_PELO_USUARIO_RECEBEDOR']`. Reading changes none.
 */
function listStatesAfter(
  action: string | undefined,
  { kind, id }: ShownRecord,
  records: Records,
): readonly string[] {
  const record = records.find(kind, id)
  if (!record) return []

  const isRead = action === 'read' || action === 'list'
  const states = new Set<string>()
  for (const status of listPossibleValues(record, 'status')) {
    const state = String(status)
    if (!findState(kind, state)) continue

    const nextState = isRead ? state : findTransition(kind, state, action)?.to
    if (nextState !== undefined) states.add(nextState)
  }
  return [...states]
}

/**
 * Learns how pages lead to the next one: by a header Link, or by a cursor, once a value of a page was accepted as one. If
 * its place is known already, notes whether this page shows one there.
 */
function learnCursor(exchange: Exchange, { form, walks }: LearningContext): void {
  const { operation, path, query, response, untranslatedBody } = exchange
  if (operation && response) {
    const { headers } = response
    learnLinks(
      operation,
      untranslatedBody,
      { path, query: Object.fromEntries(query), headers },
      form,
    )
  }
  if (form.isLinked) return

  if (form.cursorPlace !== undefined) {
    const shown = valueAt(exchange.untranslatedBody, form.cursorPlace)
    if (shown !== undefined) form.noteCursorPlace()
    return
  }

  const place = walks.findCursorPlace(exchange)
  if (place !== undefined) form.learnCursor(place)
}

/**
 * Learns that a service sorts a list the other way round than declared, such as oldest first: from a page
 * of records of which the run knows when each was created.
 */
function learnDirection(exchange: Exchange, { form, records }: LearningContext): void {
  const { operation } = exchange
  const declared = findDeclaredList(exchange)?.order?.direction
  if (!operation || declared === undefined) return

  const creations: Exchange[] = []
  for (const { kind, id } of exchange.records) {
    const creation = records.find(kind, id)?.created
    if (creation) creations.push(creation)
  }
  if (creations.length < MIN_RECORDS) return

  const direction = findDirection(creations)
  const isOther = direction !== 'unknown' && direction !== declared
  if (isOther) form.learnDirection(operation.id, direction)
}

/** Finds how records are sorted by their creations. Creations that overlap in time have no order. */
function findDirection(creations: readonly Exchange[]): Direction | 'unknown' {
  if (isOldestFirst(creations)) return 'oldest-first'
  return isOldestFirst(creations.toReversed()) ? 'newest-first' : 'unknown'
}

/** Whether each creation had ended before the next one was sent. */
function isOldestFirst(creations: readonly Exchange[]): boolean {
  let lastEnd = Number.NEGATIVE_INFINITY
  for (const { sentAt, completeAt } of creations) {
    if (sentAt <= lastEnd) return false
    lastEnd = completeAt
  }
  return true
}

/** Fewer records may stand in either direction by chance. */
const MIN_RECORDS = 4
