import { behaviour } from '../contract/behaviour.ts'
import { fieldsOf, isFilled, isObject, parsedJson, stringAt, valueAt } from '../contract/json.ts'
import {
  declaredKinds,
  findAction,
  findState,
  type Kind,
  listTransitions,
} from '../contract/kinds.ts'
import { REJECTED_EVENT, SETTLED_EVENT } from '../contract/words.ts'
import type { RecordedDelivery } from '../history.ts'
import type { Exchange } from '../model/exchange.ts'
import { isWord } from '../report/sightings.ts'
import { isDeclaredEvent } from './given-form.ts'
import type { ServiceForm } from './service-form.ts'

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
  readonly exchange: Pick<Exchange, 'sentAt' | 'operation' | 'records'>
}

/** A delivery whose event has no name of the contract. */
interface ForeignDelivery {
  readonly delivery: RecordedDelivery
  readonly body: unknown
  /** The events that it may be, by the changes of the records that it names. */
  readonly possibleEvents: ReadonlySet<string>
}

/**
 * The body of a delivery with the names of the contract: `{ kind: 'paid', when, object }` becomes
 * `{ type: 'transfer.settled', timestamp, data }`, plus its own fields.
 *
 * @param places Where this service has the name of the event, the time and the record.
 * @param form What the run has learned of the service's own words.
 */
export function toContractBody(body: unknown, places: DeliveryPlaces, form: ServiceForm): unknown {
  const name = stringAt(body, places.event)
  const event = name === undefined ? undefined : form.toContractEvent(name)
  const isAsDeclared = places === DECLARED_PLACES && (name === undefined || name === event)
  const record = valueAt(body, places.record)
  const data = event === undefined ? record : replaceServiceWords(event, record, form)
  if (isAsDeclared && data === record) return body

  const timestamp = valueAt(body, places.time)
  return { ...fieldsOf(body), type: event, timestamp, data }
}

/**
 * The record in an event, with the service's own word for its status replaced by that of the contract:
 * `{ status: 'PAID' }` becomes `{ status: 'CONCLUIDA' }`.
 *
 * @param event The name of the event in the contract, which says of what resource the record may be.
 */
function replaceServiceWords(event: string, record: unknown, form: ServiceForm): unknown {
  const { status, ...others } = fieldsOf(record)
  if (typeof status !== 'string') return record
  const resources = behaviour.events[event]?.resource ?? []
  const kinds = declaredKinds.filter(({ name }) => resources.includes(name))
  const words = kinds.map((kind) => form.toContractWord({ kind, field: 'status', word: status }))
  const translatedWord = words.find((word) => word !== status)
  return translatedWord === undefined ? record : { ...others, status: translatedWord }
}

/**
 * Learns how a service names its events, and where a delivery shows the name, the record and the time,
 * if that differs from the contract. A delivery whose text has the id of a record that just changed
 * must report this change. Returns the places, which are the declared ones if nothing differs.
 */
export function learnEvents(
  deliveries: readonly RecordedDelivery[],
  changes: readonly Change[],
  form: ServiceForm,
): DeliveryPlaces {
  const received = deliveries.map((delivery) => {
    const body = parsedJson(delivery.text)
    return { delivery, body, event: readEvent(body, { places: DECLARED_PLACES, form }) }
  })
  const declared = received.filter(({ event }) => isDeclaredEvent(event))
  // An event that comes with its declared name has no other one.
  const namedEvents = new Set(declared.map(({ event }) => event))
  const foreign = received.filter(({ event }) => !isDeclaredEvent(event))
  const withPossibleEvents = foreign.map(({ delivery, body }) => ({
    delivery,
    body,
    possibleEvents: findPossibleEvents(delivery, changes, namedEvents),
  }))
  // Those that name no changed record show nothing of the names of events.
  const caused = withPossibleEvents.filter(({ possibleEvents }) => possibleEvents.size > 0)
  if (caused.length === 0) return DECLARED_PLACES

  const places = findPlaces(caused, form)
  for (const [name, event] of mapEventsByName(caused, places, form)) form.learnEvent(event, name)
  learnStatuses(caused, places, form)
  learnFirstStatuses(caused, changes, { places, form })
  return places
}

/**
 * The events that a delivery may report: those of each change that happened before it, and whose record
 * it names by its id.
 *
 * @param namedEvents The events that other deliveries report by their declared names.
 */
function findPossibleEvents(
  { text, completeAt }: RecordedDelivery,
  changes: readonly Change[],
  namedEvents: ReadonlySet<string>,
): ReadonlySet<string> {
  const namedChanges = changes.filter(
    ({ id, exchange }) => exchange.sentAt <= completeAt && text.includes(`"${id}"`),
  )
  const events = namedChanges.flatMap((change) => change.events)
  return new Set(events.filter((event) => !namedEvents.has(event)))
}

/** A service has at most so many different names of events. */
const MAX_NAMES = 20

/**
 * Finds in which fields deliveries show the name of the event, the record and the time. The record is the
 * first field with an object in all deliveries, and the time the first one with a date.
 */
function findPlaces(foreign: readonly ForeignDelivery[], form: ServiceForm): DeliveryPlaces {
  const [first] = foreign
  const fields = Object.keys(fieldsOf(first?.body)).map((name) => `/${name}`)
  const listValues = (pointer: string) => foreign.map(({ body }) => valueAt(body, pointer))

  const record = fields.find((pointer) => listValues(pointer).every(isObject))
  const time = fields.find((pointer) => listValues(pointer).every(isTime))
  const places = {
    event: DECLARED_PLACES.event,
    time: time ?? DECLARED_PLACES.time,
    record: record ?? DECLARED_PLACES.record,
  }
  const event = findEventField(foreign, fields, { places, form })
  return { ...places, event: event ?? places.event }
}

/**
 * Finds the field with the name of the event: the one whose words fit the events that the deliveries may
 * report. Undefined if no field has a word in all deliveries.
 */
function findEventField(
  foreign: readonly ForeignDelivery[],
  fields: readonly string[],
  { places, form }: ReadingContext,
): string | undefined {
  const listValues = (pointer: string) => foreign.map(({ body }) => valueAt(body, pointer))
  // Many different words cannot be names of the few declared events.
  const fieldsWithFewWords = fields.filter((pointer) => {
    const hasFewValues = new Set(listValues(pointer)).size <= MAX_NAMES
    return hasFewValues && listValues(pointer).every(isWord)
  })
  const candidates = fieldsWithFewWords.map((pointer) => ({
    pointer,
    namedDeliveries: countNamed(foreign, { ...places, event: pointer }, form),
    isId: isNameOfId(pointer),
    differentNames: new Set(listValues(pointer)).size,
  }))
  // The words that fit the most deliveries. An id may fit by chance, where each event has its own. Of
  // equals, the field that tells more events apart.
  const [best] = candidates.toSorted(
    (a, b) =>
      b.namedDeliveries - a.namedDeliveries ||
      Number(a.isId) - Number(b.isId) ||
      b.differentNames - a.differentNames,
  )
  return best?.pointer
}

/**
 * Counts the deliveries whose event would be known if `places.event` were the field with its name: the
 * more, the likelier it is that field.
 */
function countNamed(
  foreign: readonly ForeignDelivery[],
  places: DeliveryPlaces,
  form: ServiceForm,
): number {
  const events = mapEventsByName(foreign, places, form)
  const names = foreign.map(({ body }) => stringAt(body, places.event) ?? '')
  return names.filter((name) => events.has(name) || isDeclaredEvent(form.toContractEvent(name)))
    .length
}

/** Whether a field is an id by its name, such as `webhook_id`. */
function isNameOfId(pointer: string): boolean {
  return /(\b|_)id$|Id$/.test(pointer)
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)
}

/** So many of the deliveries with one name must fit an event. Some may be wrong. */
const MIN_FITTING_PART = 0.8

/**
 * Maps the service's own names of events to those of the contract: `paid => transfer.settled`. A name is
 * mapped if only one event fits its deliveries. Each mapped name leaves fewer events for the others, so
 * that all names are tried several times.
 */
function mapEventsByName(
  foreign: readonly ForeignDelivery[],
  { event, record }: DeliveryPlaces,
  form: ServiceForm,
): ReadonlyMap<string, string> {
  const byName = Map.groupBy(foreign, ({ body }) => stringAt(body, event) ?? '')
  // Deliveries without a name.
  byName.delete('')

  const eventByName = new Map<string, string>()
  const eventsWithoutName = new Set(
    listEventNames().filter((name) => !form.hasServiceEvent(name) && !byName.has(name)),
  )
  for (let round = 0; round < byName.size; round++)
    for (const [name, deliveries] of byName) {
      const hasMeaning = eventByName.has(name) || isDeclaredEvent(form.toContractEvent(name))
      if (hasMeaning) continue

      const fittingEvents = [...eventsWithoutName].filter(
        (candidate) =>
          isFitting(candidate, deliveries) && hasMatchingTransferEnd(candidate, deliveries, record),
      )
      const [fittingEvent, ...others] = fittingEvents
      // With several, a later round may have fewer left.
      if (fittingEvent === undefined || others.length > 0) continue

      eventByName.set(name, fittingEvent)
      eventsWithoutName.delete(fittingEvent)
    }
  return eventByName
}

function listEventNames(): string[] {
  return Object.keys(behaviour.events)
}

/** Whether most of some deliveries may be of an event. */
function isFitting(event: string, deliveries: readonly ForeignDelivery[]): boolean {
  const count = deliveries.filter(({ possibleEvents }) => possibleEvents.has(event)).length
  return count >= MIN_FITTING_PART * deliveries.length
}

/**
 * Whether deliveries show that a transfer ended as an event says: a settled one has `settled_at`, and a
 * rejected one has `rejection_message`. True for events that are not about the end of a transfer.
 *
 * @param record The pointer of the record in the deliveries.
 */
function hasMatchingTransferEnd(
  event: string,
  deliveries: readonly ForeignDelivery[],
  record: string,
): boolean {
  const isShown = (field: string) =>
    deliveries.some(({ body }) => isFilled(stringAt(body, `${record}/${field}`) ?? ''))
  if (event === SETTLED_EVENT) return isShown('settled_at') && !isShown('rejection_message')
  if (event === REJECTED_EVENT) return isShown('rejection_message') && !isShown('settled_at')
  return true
}

/**
 * Learns the service's own word for each state of a record, such as `PAID` for `CONCLUIDA`: the status
 * that most deliveries about the transition to this state show.
 */
function learnStatuses(
  foreign: readonly ForeignDelivery[],
  places: DeliveryPlaces,
  form: ServiceForm,
): void {
  for (const kind of declaredKinds)
    for (const { to, events = [] } of listTransitions(kind)) {
      const word = findMostFrequent(readStatuses(foreign, events, { places, form }))
      const isDeclared = findState(kind, word) !== undefined
      if (to === undefined || word === undefined || isDeclared) continue
      form.learnWord({ kind, field: 'status', word: to }, word)
    }
}

/** Where deliveries show what they say, and what is known of the words in it. */
interface ReadingContext {
  readonly places: DeliveryPlaces
  readonly form: ServiceForm
}

/**
 * Learns the word of the service for each state that a record leaves by itself: the status that most
 * creations showed, before an event of its transition showed another one.
 */
function learnFirstStatuses(
  foreign: readonly ForeignDelivery[],
  changes: readonly Change[],
  { places, form }: ReadingContext,
): void {
  for (const kind of declaredKinds)
    for (const [state, { on = {} }] of Object.entries(kind.resource.states ?? {})) {
      const transitions = Object.values(on).filter(({ by }) => by === 'service')
      const events = transitions.flatMap((transition) => transition.events ?? [])
      const texts = foreign
        .filter(({ body }) => events.includes(readEvent(body, { places, form })))
        .map(({ delivery }) => delivery.text)
      // The record of a change has left the state if such an event names its id.
      const ended = changes.filter(({ id }) => texts.some((text) => text.includes(`"${id}"`)))
      const words = ended.flatMap((change) => readFirstStatus(kind, change))

      // A word that the contract has needs no translation.
      const word = findMostFrequent(words.filter((each) => findState(kind, each) === undefined))
      if (word !== undefined) form.learnWord({ kind, field: 'status', word: state }, word)
    }
}

/** Reads the status that a creation showed of its record; none if the change is no creation. */
function readFirstStatus({ name }: Kind, { id, exchange }: Change): readonly string[] {
  const { operation, records } = exchange
  const created = records.find((record) => record.id === id && record.kind.name === name)
  const isCreation = created && findAction(created.kind, operation?.id) === 'create'
  const status = stringAt(created?.fields, '/status')
  return isCreation && status !== undefined ? [status] : []
}

/** Reads the name of the event of a delivery, as the contract calls it; empty if there is none. */
function readEvent(body: unknown, { places, form }: ReadingContext): string {
  return form.toContractEvent(stringAt(body, places.event) ?? '')
}

/** Reads the status of the record in each delivery whose event is one of `events`. */
function readStatuses(
  foreign: readonly ForeignDelivery[],
  events: readonly string[],
  { places, form }: ReadingContext,
): readonly string[] {
  return foreign.flatMap(({ body }) => {
    const event = readEvent(body, { places, form })
    const status = stringAt(body, `${places.record}/status`)
    return events.includes(event) && status !== undefined ? [status] : []
  })
}

/** Finds the word that occurs most often; undefined if there is none. */
function findMostFrequent(words: readonly string[]): string | undefined {
  const groups = [...Map.groupBy(words, (word) => word).values()]
  const [largestGroup] = groups.toSorted((a, b) => b.length - a.length)
  return largestGroup?.[0]
}
