import { behaviour } from '../contract/behaviour.ts'
import { fieldsOf, leavesOf, stringAt } from '../contract/json.ts'
import { findAction, findState, type ShownRecord } from '../contract/kinds.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Records } from '../model/record-history.ts'
import type { Walks } from '../model/walks.ts'
import { learnPlaces } from './places.ts'
import type { ServiceForm } from './service-form.ts'

/** What is known before an exchange, and the form that is learned. */
interface LearningContext {
  readonly form: ServiceForm
  readonly records: Records
  readonly walks: Walks
}

/**
 * Learns from an exchange how the service writes what the contract only assumes: its words, its fields,
 * its cursor and the order of its lists. Returns whether anything is new, so that the exchange has to be
 * read again.
 */
export function learnFrom(exchange: Exchange, context: LearningContext): boolean {
  const { outcome, operation } = exchange
  // A gateway in front of the service writes in its own way.
  if (!operation || exchange.responder === 'gateway') return false
  const before = new Set(context.form.learned)

  if (outcome === 'refused') learnCode(exchange, context.form)
  if (outcome === 'accepted') {
    const { status, requestBody, untranslatedBody } = exchange
    learnPlaces(operation, { status, requestBody, untranslatedBody }, context.form)
    for (const record of exchange.records) learnWords(record, exchange, context)
    learnCursor(exchange, context)
    learnDirection(exchange, context)
  }
  return context.form.learned.some((learned) => !before.has(learned))
}

/** Learns where refusals show their code, if one has a declared code at another place. */
function learnCode({ responseBody }: Exchange, form: ServiceForm): void {
  if (form.codePlace !== undefined || stringAt(responseBody, '/code') !== undefined) return
  const isCode = (value: unknown) => Object.hasOwn(behaviour.refusals, String(value))
  const [place, ...others] = leavesOf(responseBody, '', isCode)
  if (place && others.length === 0) form.learnCode(place[0])
}

/**
 * Learns the service's own words in a record: strings in fields for which the contract has an enum without
 * them. A word is learned if it is clear which word of the enum it means.
 */
function learnWords(shown: ShownRecord, exchange: Exchange, context: LearningContext): void {
  const { kind, fields } = shown
  for (const [field, serviceWord] of Object.entries(fields)) {
    if (typeof serviceWord !== 'string') continue
    if (!hasUndeclaredWord(field, shown, exchange)) {
      // A status of the contract that the service uses itself cannot be the meaning of another word.
      if (field === 'status') context.form.noteWord({ kind, field, word: serviceWord })
      continue
    }

    const word = findMeaning(field, shown, exchange, context)
    if (word !== undefined) context.form.learnWord({ kind, field, word }, serviceWord)
  }
}

/** Whether a field of a shown record has a word that its enum in the contract does not have. */
function hasUndeclaredWord(
  field: string,
  { kind, at, fields }: ShownRecord,
  { differences }: Exchange,
): boolean {
  // Asked of the contract itself, since a long list has more differences than the validator names.
  const hasStates = kind.resource.states !== undefined
  if (field === 'status' && hasStates) return findState(kind, fields[field]) === undefined
  return hasOtherWord(differences, `${at}/${field}`)
}

/** Whether the value at a place is none of its enum. */
function hasOtherWord(differences: Exchange['differences'], place: string): boolean {
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
  const sent = fieldsOf(exchange.requestBody)[field]
  const isSent = action === 'create' || action === 'update'
  if (isSent && typeof sent === 'string') {
    // An invalid variant sends a word that the contract does not have, which has no meaning in it.
    const isDeclaredWord = !hasOtherWord(exchange.requestDifferences, `/${field}`)
    return isDeclaredWord ? sent : undefined
  }
  return field === 'status' ? findOnlyState(action, shown, context) : undefined
}

/**
 * Finds the only state that a record can have after an action: the initial one after a creation, else the
 * only one that the declared transitions allow and for which the service has no word yet. Undefined if
 * several are possible.
 */
function findOnlyState(
  action: string | undefined,
  { kind, id }: ShownRecord,
  { form, records }: LearningContext,
): string | undefined {
  const { initial = [] } = kind.resource
  if (action === 'create') return initial.length === 1 ? initial[0] : undefined

  const before = records.find(kind, id)?.fields.get('status') ?? []
  const isDeclared = (state: string) => findState(kind, state) !== undefined
  const statesBefore = before.map(({ value }) => String(value)).filter(isDeclared)
  // A read changes nothing; any other action leads to the next state.
  const isRead = action === 'read' || action === 'list'
  const possibleStates = isRead
    ? statesBefore
    : statesBefore.flatMap((state) => findState(kind, state)?.on?.[action ?? '']?.to ?? [])

  const statesWithoutWord = [...new Set(possibleStates)].filter(
    (word) => !form.hasServiceWord({ kind, field: 'status', word }),
  )
  return statesWithoutWord.length === 1 ? statesWithoutWord[0] : undefined
}

/** Learns where pages show their cursor, once a value of a page was accepted as one. */
function learnCursor(exchange: Exchange, { form, walks }: LearningContext): void {
  if (form.cursorPlace !== undefined) return
  const place = walks.findCursorPlace(exchange)
  if (place !== undefined) form.learnCursor(place)
}

/**
 * Learns that a service sorts a list the other way round than declared, such as oldest first: from a page
 * of records of which the run knows when each was created.
 */
function learnDirection(exchange: Exchange, { form, records }: LearningContext): void {
  const list = exchange.operation?.id ?? ''
  const declared = behaviour.lists[list]?.order?.direction
  if (declared === undefined || form.findDirection(list) !== undefined) return

  const creations = exchange.records.flatMap(
    ({ kind, id }) => records.find(kind, id)?.created ?? [],
  )
  if (creations.length < MIN_RECORDS) return

  const pairs = creations.slice(1).map((later, i) => [creations[i], later] as const)
  // Creations that overlap in time say nothing of the order.
  const isOldestFirst = pairs.every(([one, next]) => one && next.sentAt > one.completeAt)
  const isNewestFirst = pairs.every(([one, next]) => one && one.sentAt > next.completeAt)
  if (isOldestFirst && declared === 'newest-first') form.learnDirection(list, 'oldest-first')
  if (isNewestFirst && declared === 'oldest-first') form.learnDirection(list, 'newest-first')
}

/** Fewer records may stand in either direction by chance. */
const MIN_RECORDS = 4
