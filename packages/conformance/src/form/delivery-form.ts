import { behaviour } from '../contract/behaviour.ts'
import { fieldsOf, isFilled, isObject, parsedJson, stringAt, valueAt } from '../contract/json.ts'
import { declaredKinds, findState, listTransitions } from '../contract/kinds.ts'
import type { RecordedDelivery } from '../history.ts'
import { isWord } from '../report/sightings.ts'
import { isDeclaredEvent, type OwnForm } from './own-form.ts'

/** Where a delivery shows what the contract names `type`, `timestamp` and `data`. */
export interface DeliveryPlaces {
  readonly event: string
  readonly time: string
  readonly record: string
}

/** The places of the contract. */
export const DECLARED_PLACES: DeliveryPlaces = {
  event: '/type',
  time: '/timestamp',
  record: '/data',
}

/** A change of a record, and the events of which one follows it. */
interface Change {
  readonly id: string
  readonly events: readonly string[]
  readonly exchange: { readonly sentAt: number }
}

/** A delivery whose event has no name of the contract. */
interface Foreign {
  readonly delivery: RecordedDelivery
  readonly body: unknown
  /** The events that the changes which it names may have. */
  readonly possible: ReadonlySet<string>
}

/** The body of a delivery in the form of the contract. */
export function bodyInContract(body: unknown, places: DeliveryPlaces, form: OwnForm): unknown {
  const name = stringAt(body, places.event)
  const event = name === undefined ? undefined : form.eventOf(name)
  const isAsDeclared = places === DECLARED_PLACES && (name === undefined || name === event)
  const record = valueAt(body, places.record)
  const data = event === undefined ? record : withContractWords(event, record, form)
  if (isAsDeclared && data === record) return body

  const timestamp = valueAt(body, places.time)
  return { ...fieldsOf(body), type: event, timestamp, data }
}

/** A record of an event with the words of the contract. */
function withContractWords(event: string, record: unknown, form: OwnForm): unknown {
  const { status, ...others } = fieldsOf(record)
  if (typeof status !== 'string') return record
  const names = behaviour.events[event]?.resource ?? []
  const kinds = declaredKinds.filter(({ name }) => names.includes(name))
  const words = kinds.map((kind) => form.contractWord({ kind, field: 'status', word: status }))
  const word = words.find((each) => each !== status)
  return word === undefined ? record : { ...others, status: word }
}

/**
 * Learns the names and the places of events from what follows what: an event belongs to the change
 * whose record it names. Returns the places.
 */
export function learnEvents(
  deliveries: readonly RecordedDelivery[],
  changes: readonly Change[],
  form: OwnForm,
): DeliveryPlaces {
  const bodies = deliveries.map((delivery) => ({ delivery, body: parsedJson(delivery.text) }))
  const isForeign = ({ body }: { readonly body: unknown }) =>
    !isDeclaredEvent(form.eventOf(stringAt(body, DECLARED_PLACES.event) ?? ''))
  const foreign = bodies.filter(isForeign).map((each) => ({
    ...each,
    possible: possibleEvents(each.delivery, changes),
  }))
  const caused = foreign.filter(({ possible }) => possible.size > 0)
  if (caused.length === 0) return DECLARED_PLACES

  const places = findPlaces(caused, form)
  for (const [name, event] of eventsByName(caused, places, form)) form.learnEvent(event, name)
  learnStatuses(caused, places, form)
  return places
}

function possibleEvents(
  { text, completeAt }: RecordedDelivery,
  changes: readonly Change[],
): ReadonlySet<string> {
  const named = changes.filter(
    ({ id, exchange }) => exchange.sentAt <= completeAt && text.includes(`"${id}"`),
  )
  return new Set(named.flatMap(({ events }) => events))
}

/** Different names of events that a service may have. */
const MOST_NAMES = 20

/** The places that all deliveries have: the names of events, an object, and a time. */
function findPlaces(foreign: readonly Foreign[], form: OwnForm): DeliveryPlaces {
  const [first] = foreign
  const fields = Object.keys(fieldsOf(first?.body)).map((name) => `/${name}`)
  const valuesAt = (pointer: string) => foreign.map(({ body }) => valueAt(body, pointer))

  const record = fields.find((pointer) => valuesAt(pointer).every(isObject))
  const time = fields.find((pointer) => valuesAt(pointer).every(isTime))
  const places = {
    time: time ?? DECLARED_PLACES.time,
    record: record ?? DECLARED_PLACES.record,
  }

  const ofFewWords = fields.filter((pointer) => {
    const isFew = new Set(valuesAt(pointer)).size <= MOST_NAMES
    return isFew && valuesAt(pointer).every(isWord)
  })
  const candidates = ofFewWords.map((pointer) => ({
    pointer,
    named: countNamed(foreign, { ...places, event: pointer }, form),
    isId: isNameOfId(pointer),
    different: new Set(valuesAt(pointer)).size,
  }))
  // The words that fit the most deliveries. An id may fit by chance, where each event has its own.
  const [best] = candidates.toSorted(
    (a, b) => b.named - a.named || Number(a.isId) - Number(b.isId) || b.different - a.different,
  )
  return { ...places, event: best?.pointer ?? DECLARED_PLACES.event }
}

/** How many deliveries have a name that stands for an event, if the names are at a place. */
function countNamed(foreign: readonly Foreign[], places: DeliveryPlaces, form: OwnForm): number {
  const events = eventsByName(foreign, places, form)
  const names = foreign.map(({ body }) => stringAt(body, places.event) ?? '')
  return names.filter((name) => events.has(name) || isDeclaredEvent(form.eventOf(name))).length
}

/** Whether a field is an id by its name, such as `webhook_id`. */
function isNameOfId(pointer: string): boolean {
  return /(\b|_)id$|Id$/.test(pointer)
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)
}

/** The share of the deliveries with a name that must fit an event, since some may be wrong. */
const FITTING = 0.8

/**
 * The event that the deliveries with each name may have, the clearest first. A name that may be that
 * of two events has none.
 */
function eventsByName(
  foreign: readonly Foreign[],
  { event, record }: DeliveryPlaces,
  form: OwnForm,
): ReadonlyMap<string, string> {
  const byName = Map.groupBy(foreign, ({ body }) => stringAt(body, event) ?? '')
  byName.delete('')

  const meanings = new Map<string, string>()
  const unnamed = new Set(eventNames().filter((each) => !form.hasNameOf(each) && !byName.has(each)))
  // Each name that has its event leaves fewer events for the others.
  for (let round = 0; round < byName.size; round++)
    for (const [name, deliveries] of byName) {
      const hasMeaning = meanings.has(name) || isDeclaredEvent(form.eventOf(name))
      if (hasMeaning) continue

      const fitting = [...unnamed].filter(
        (each) => isFitting(each, deliveries) && isOfContent(each, deliveries, record),
      )
      const [meant, ...others] = fitting
      if (meant === undefined || others.length > 0) continue
      meanings.set(name, meant)
      unnamed.delete(meant)
    }
  return meanings
}

function eventNames(): string[] {
  return Object.keys(behaviour.events)
}

function isFitting(event: string, deliveries: readonly Foreign[]): boolean {
  const count = deliveries.filter(({ possible }) => possible.has(event)).length
  return count >= FITTING * deliveries.length
}

/** Whether deliveries show no sign of another end of a transfer than that of an event. */
function isOfContent(event: string, deliveries: readonly Foreign[], record: string): boolean {
  const shows = (field: string) =>
    deliveries.some(({ body }) => isFilled(stringAt(body, `${record}/${field}`) ?? ''))
  if (event === 'transfer.settled') return shows('settled_at') && !shows('rejection_message')
  if (event === 'transfer.rejected') return shows('rejection_message') && !shows('settled_at')
  return true
}

/** The status that most events of a transition show is the word for its state. */
function learnStatuses(foreign: readonly Foreign[], places: DeliveryPlaces, form: OwnForm): void {
  for (const kind of declaredKinds)
    for (const { to, events = [] } of listTransitions(kind)) {
      const word = mostFrequent(statusesIn(foreign, events, { places, form }))
      const isDeclared = findState(kind, word) !== undefined
      if (to === undefined || word === undefined || isDeclared) continue
      form.learnWord({ kind, field: 'status', word: to }, word)
    }
}

/** The status that each delivery of one of these events shows. */
function statusesIn(
  foreign: readonly Foreign[],
  events: readonly string[],
  { places, form }: { readonly places: DeliveryPlaces; readonly form: OwnForm },
): readonly string[] {
  return foreign.flatMap(({ body }) => {
    const event = form.eventOf(stringAt(body, places.event) ?? '')
    const status = stringAt(body, `${places.record}/status`)
    return events.includes(event) && status !== undefined ? [status] : []
  })
}

function mostFrequent(words: readonly string[]): string | undefined {
  const groups = [...Map.groupBy(words, (word) => word).values()]
  const [most] = groups.toSorted((a, b) => b.length - a.length)
  return most?.[0]
}
