import { behaviour } from '../contract/behaviour.ts'
import { fieldsOf, leavesOf, stringAt } from '../contract/json.ts'
import { actionOf, type Shown, stateOf } from '../contract/kinds.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Records } from '../model/known-records.ts'
import type { Walks } from '../model/walks.ts'
import type { OwnForm } from './own-form.ts'
import { learnPlaces } from './places.ts'

/** What is known before an exchange, and the form that is learned. */
interface Known {
  readonly form: OwnForm
  readonly records: Records
  readonly walks: Walks
}

/**
 * Learns from an exchange how the service writes what the contract only assumes. Returns whether
 * anything is new, so that the exchange has to be read again.
 */
export function learnFrom(exchange: Exchange, known: Known): boolean {
  const { outcome, operation } = exchange
  if (!operation || exchange.origin === 'gateway') return false
  const before = known.form.learned.length

  if (outcome === 'refused') learnCode(exchange, known.form)
  if (outcome === 'accepted') {
    const { status, sent, received } = exchange
    learnPlaces(operation, { status, sent, received }, known.form)
    for (const shown of exchange.records) learnWords(shown, exchange, known)
    learnCursor(exchange, known)
    learnDirection(exchange, known)
  }
  return known.form.learned.length > before
}

/** A refusal has one of the declared codes at another place. */
function learnCode({ shown }: Exchange, form: OwnForm): void {
  if (form.codePlace !== undefined || stringAt(shown, '/code') !== undefined) return
  const isCode = (value: unknown) => Object.hasOwn(behaviour.refusals, String(value))
  const [place, ...others] = leavesOf(shown, '', isCode)
  if (place && others.length === 0) form.learnCode(place[0])
}

/** Words that stand where the contract has an enum with others. */
function learnWords(shown: Shown, exchange: Exchange, known: Known): void {
  const { kind, fields } = shown
  for (const [field, serviceWord] of Object.entries(fields)) {
    if (typeof serviceWord !== 'string') continue
    if (!isUndeclared(field, shown, exchange)) {
      if (field === 'status') known.form.noteWord({ kind, field, word: serviceWord })
      continue
    }

    const word = meaningOf(field, shown, { exchange, known })
    if (word !== undefined) known.form.learnWord({ kind, field, word }, serviceWord)
  }
}

/** Whether a field has a value that is none of its enum. */
function isUndeclared(
  field: string,
  { kind, at, fields }: Shown,
  { differences }: Exchange,
): boolean {
  // A long list has more differences than the validator names.
  const hasStates = kind.resource.states !== undefined
  if (field === 'status' && hasStates) return stateOf(kind, fields[field]) === undefined
  return hasOtherWord(differences, `${at}/${field}`)
}

/** Whether the value at a place is none of its enum. */
function hasOtherWord(differences: Exchange['differences'], place: string): boolean {
  return differences.some(({ keyword, pointer }) => keyword === 'enum' && pointer === place)
}

interface Reading {
  readonly exchange: Exchange
  readonly known: Known
}

/** The word of the contract that a field must have; undefined if it may be one of several. */
function meaningOf(field: string, shown: Shown, reading: Reading): string | undefined {
  const { exchange } = reading
  const action = actionOf(shown.kind, exchange.operation?.id)
  const sent = fieldsOf(exchange.sent)[field]
  const isSent = action === 'create' || action === 'update'
  if (isSent && typeof sent === 'string') {
    const isSentDeclared = !hasOtherWord(exchange.requestDifferences, `/${field}`)
    return isSentDeclared ? sent : undefined
  }
  return field === 'status' ? stateAfter(action, shown, reading) : undefined
}

/** The state of a record: the first one, that after an action, or the only one without a word. */
function stateAfter(
  action: string | undefined,
  { kind, id }: Shown,
  { known: { form, records } }: Reading,
): string | undefined {
  const { initial = [] } = kind.resource
  if (action === 'create') return initial.length === 1 ? initial[0] : undefined

  const before = records.find(kind, id)?.fields.get('status') ?? []
  const isDeclared = (state: string) => stateOf(kind, state) !== undefined
  const states = before.map(({ value }) => String(value)).filter(isDeclared)
  const isRead = action === 'read' || action === 'list'
  const possible = isRead
    ? states
    : states.flatMap((state) => stateOf(kind, state)?.on?.[action ?? '']?.to ?? [])

  const unnamed = [...new Set(possible)].filter(
    (word) => !form.hasServiceWord({ kind, field: 'status', word }),
  )
  return unnamed.length === 1 ? unnamed[0] : undefined
}

/** A value of the page before was accepted as a cursor, and led to other records. */
function learnCursor(exchange: Exchange, { form, walks }: Known): void {
  if (form.cursorPlace !== undefined) return
  const place = walks.cursorPlaceOf(exchange)
  if (place !== undefined) form.learnCursor(place)
}

/** A page whose records all stand in the other direction than the declared one. */
function learnDirection(exchange: Exchange, { form, records }: Known): void {
  const list = exchange.operation?.id ?? ''
  const declared = behaviour.lists[list]?.order?.direction
  if (declared === undefined || form.directionOf(list) !== undefined) return

  const created = exchange.records.flatMap(({ kind, id }) => records.find(kind, id)?.created ?? [])
  if (created.length < FEWEST_RECORDS) return

  const pairs = created.slice(1).map((later, i) => [created[i], later] as const)
  const isOldestFirst = pairs.every(([one, next]) => one && next.sentAt > one.completeAt)
  const isNewestFirst = pairs.every(([one, next]) => one && one.sentAt > next.completeAt)
  if (isOldestFirst && declared === 'newest-first') form.learnDirection(list, 'oldest-first')
  if (isNewestFirst && declared === 'oldest-first') form.learnDirection(list, 'newest-first')
}

/** Fewer records stand in either direction by chance. */
const FEWEST_RECORDS = 4
