import type { State } from '@partner-payments/spec/behaviour'
import { behaviour } from '../contract/behaviour.ts'
import {
  fieldsOf,
  findOnlyItem,
  isFilled,
  isObject,
  parsedJson,
  stringAt,
  valueAt,
} from '../contract/json.ts'
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

/** A change of a record that a request made, such as the creation of a transfer. */
interface Change {
  /** The id of the record. */
  readonly id: string
  /** The events of which one follows, such as `['transfer.settled', 'transfer.rejected']`. */
  readonly events: readonly string[]
  readonly exchange: Pick<Exchange, 'sentAt' | 'operation' | 'records'>
}

/** A delivery whose event has no name of the contract, such as `{ kind: 'paid', object: { … } }`. */
interface ForeignDelivery {
  readonly delivery: RecordedDelivery
  readonly body: unknown
  /** The ids of the changed records that it names. */
  readonly recordIds: readonly string[]
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
  const record = valueAt(body, places.record)
  const data = event === undefined ? record : replaceServiceWords(event, record, form)

  // The service writes all as declared: nothing is moved, renamed or translated.
  const isAsDeclared = places === DECLARED_PLACES && name === event && record === data
  if (isAsDeclared) return body
  return { ...fieldsOf(body), type: event, timestamp: valueAt(body, places.time), data }
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
  for (const kind of declaredKinds) {
    if (!resources.includes(kind.name)) continue

    // The first kind for which the word has another meaning decides.
    const contractWord = form.toContractWord({ kind, field: 'status', word: status })
    if (contractWord !== status) return { ...others, status: contractWord }
  }
  return record
}

/**
 * Learns how a service names its events, and where a delivery shows the name, the record and the time. Returns the
 * places, which are the declared ones if nothing differs from the contract.
 *
 * @example
 * // After the creation of transfer `t1`, this delivery names its id, so that it must report the change:
 * { kind: 'paid', object: { id: 't1', settled_at: '2027-01-31T10:00:00Z' } }
 * // The service shows the name in `/kind`, and calls `transfer.settled` `paid`.
 */
export function learnEvents(
  deliveries: readonly RecordedDelivery[],
  changes: readonly Change[],
  form: ServiceForm,
): DeliveryPlaces {
  // `foreign` are those whose event has no declared name.
  const foreign = listForeignDeliveries(deliveries, changes, form)
  const isAnyPossible = foreign.some(({ possibleEvents }) => possibleEvents.size > 0)
  if (!isAnyPossible) return DECLARED_PLACES

  const places = findPlaces(foreign, form)
  for (const [name, event] of mapEventsByName(foreign, places, form)) form.learnEvent(event, name)
  learnStatuses(foreign, places, form)
  learnFirstStatuses(foreign, changes, { places, form })
  return places
}

/**
 * Lists the deliveries about changed records whose event has no declared name, each with the events that it may
 * report. That is none if it arrived before the change: then it reports something that the contract has no event for,
 * such as the creation of a QR code.
 */
function listForeignDeliveries(
  deliveries: readonly RecordedDelivery[],
  changes: readonly Change[],
  form: ServiceForm,
): readonly ForeignDelivery[] {
  // Events that some delivery reports by their names of the contract.
  const namedEvents = new Set<string>()
  const unnamed: { readonly delivery: RecordedDelivery; readonly body: unknown }[] = []
  for (const delivery of deliveries) {
    const body = parsedJson(delivery.text)
    const event = readEvent(body, { places: DECLARED_PLACES, form })
    if (isDeclaredEvent(event)) namedEvents.add(event)
    else unnamed.push({ delivery, body })
  }

  const foreign: ForeignDelivery[] = []
  for (const { delivery, body } of unnamed) {
    const texts = listQuoted(delivery)
    const changesOfRecord = changes.filter(({ id }) => texts.has(id))
    if (changesOfRecord.length === 0) continue

    const possibleEvents = findPossibleEvents(delivery, changesOfRecord, namedEvents)
    const recordIds = changesOfRecord.map(({ id }) => id)
    foreign.push({ delivery, body, recordIds, possibleEvents })
  }
  return foreign
}

/**
 * The events that a delivery may report: those of each change that happened before it.
 *
 * @param changes Those of the records that it names by their ids.
 * @param namedEvents The events that other deliveries report by their declared names, so that they have
 *   no other ones.
 */
function findPossibleEvents(
  delivery: RecordedDelivery,
  changes: readonly Change[],
  namedEvents: ReadonlySet<string>,
): ReadonlySet<string> {
  const possibleEvents = new Set<string>()
  for (const { events, exchange } of changes) {
    const isBefore = exchange.sentAt <= delivery.completeAt
    if (!isBefore) continue

    for (const event of events) if (!namedEvents.has(event)) possibleEvents.add(event)
  }
  return possibleEvents
}

/** Lists what stands between two quotes anywhere in a delivery. To search it for each id would take long. */
function listQuoted({ text }: RecordedDelivery): ReadonlySet<string> {
  return new Set(text.split('"'))
}

/** A service has at most so many different names of events. */
const MAX_NAMES = 20
/** Of more names than this, none is taken for that of an event: they may have an id in them. */
const MAX_MAPPED_NAMES = 100
/** So many fields of a delivery are looked through. */
const MAX_FIELDS = 100

/**
 * Finds in which fields deliveries show the name of the event, the record and the time. The record is the
 * first field with an object in all deliveries, and the time the first one with a date. Of deliveries such as
 * `{ kind: 'paid', when: '2027-01-31T10:00:00Z', object: { … } }`, the places are `/kind`, `/when` and `/object`.
 */
function findPlaces(foreign: readonly ForeignDelivery[], form: ServiceForm): DeliveryPlaces {
  const [first] = foreign
  const names = Object.keys(fieldsOf(first?.body)).slice(0, MAX_FIELDS)
  const fields = names.map((name) => `/${name}`)

  const record = fields.find((field) => listValuesAt(field, foreign).every(isObject))
  const time = fields.find((field) => listValuesAt(field, foreign).every(isTime))
  const places = {
    event: DECLARED_PLACES.event,
    time: time ?? DECLARED_PLACES.time,
    record: record ?? DECLARED_PLACES.record,
  }
  // Last, because the record shows whether the words of a field fit as names.
  const event = findEventField(foreign, fields, { places, form })
  return { ...places, event: event ?? places.event }
}

/** Lists what each delivery shows at a pointer. */
function listValuesAt(pointer: string, foreign: readonly ForeignDelivery[]): readonly unknown[] {
  return foreign.map(({ body }) => valueAt(body, pointer))
}

/** A field that may have the name of the event. */
interface EventField {
  readonly pointer: string
  /** Of how many deliveries the event would be known by it. */
  readonly namedDeliveries: number
  readonly isId: boolean
  readonly differentNames: number
}

/**
 * Finds the field with the name of the event, such as `/kind`: the one whose words, taken for names of events,
 * explain the most deliveries. Undefined if no field has a word in all deliveries.
 */
function findEventField(
  foreign: readonly ForeignDelivery[],
  fields: readonly string[],
  { places, form }: ReadingContext,
): string | undefined {
  const candidates: EventField[] = []
  for (const pointer of fields) {
    const values = listValuesAt(pointer, foreign)
    const differentNames = new Set(values).size
    // Many different words cannot be names of the few declared events.
    if (differentNames > MAX_NAMES || !values.every(isWord)) continue

    candidates.push({
      pointer,
      namedDeliveries: countNamed(foreign, { ...places, event: pointer }, form),
      isId: isNameOfId(pointer),
      differentNames,
    })
  }
  const [best] = candidates.toSorted(compareEventFields)
  return best?.pointer
}

/** Compares two fields: the one that more likely has the name of the event comes first. */
function compareEventFields(one: EventField, other: EventField): number {
  const byDeliveries = other.namedDeliveries - one.namedDeliveries
  if (byDeliveries !== 0) return byDeliveries

  // An id may fit by chance, where each event has its own.
  const byId = Number(one.isId) - Number(other.isId)
  if (byId !== 0) return byId

  // The field that tells more events apart.
  return other.differentNames - one.differentNames
}

/**
 * Counts the deliveries whose event would be known if `places.event` were the field with its name. The more
 * there are, the likelier it is that field.
 */
function countNamed(
  foreign: readonly ForeignDelivery[],
  places: DeliveryPlaces,
  form: ServiceForm,
): number {
  const eventsByName = mapEventsByName(foreign, places, form)
  let count = 0
  for (const { body } of foreign) {
    const name = stringAt(body, places.event)
    if (name === undefined) continue

    const isKnown = eventsByName.has(name) || hasMeaning(name, form)
    if (isKnown) count++
  }
  return count
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
 * Maps the service's own names of events to those of the contract: `paid => transfer.settled`. A name is mapped if
 * only one event fits its deliveries. That event fits no other name any more, which may leave one for the next. Of two
 * names that the event fits, the one that comes later for the same records has it: the other one may be about their
 * creation, if they were changed at once.
 */
function mapEventsByName(
  foreign: readonly ForeignDelivery[],
  places: DeliveryPlaces,
  form: ServiceForm,
): ReadonlyMap<string, string> {
  const context = { places, form }
  const deliveriesByName = groupByName(foreign, places)
  const eventsWithoutName = listEventsWithoutName(deliveriesByName, form)
  const unknownNames = [...deliveriesByName].filter(([name]) => !hasMeaning(name, form))
  const eventByName = new Map<string, string>()
  if (unknownNames.length > MAX_MAPPED_NAMES) return eventByName

  /** By name, until an event is mapped: then the others have fewer to fit. */
  const onlyEvents = new Map<string, string | undefined>()
  function findOnlyEvent(name: string): string | undefined {
    if (onlyEvents.has(name)) return onlyEvents.get(name)

    const deliveries = deliveriesByName.get(name) ?? []
    const events = [...eventsWithoutName].filter((event) => isFitting(event, deliveries, context))
    onlyEvents.set(name, findOnlyItem(events))
    return onlyEvents.get(name)
  }

  // If `paid` fits settled alone, and `done` settled and rejected, one round maps `paid`, and the next one `done`.
  let isAnyMapped = true
  while (isAnyMapped) {
    isAnyMapped = false
    for (const [name, deliveries] of unknownNames) {
      if (eventByName.has(name)) continue

      const event = findOnlyEvent(name)
      if (event === undefined) continue

      // Another name that also fits this event alone, and comes later.
      const hasLaterRival = unknownNames.some(([other, ofOther]) => {
        if (eventByName.has(other) || findOnlyEvent(other) !== event) return false
        return comesBefore(deliveries, ofOther)
      })
      if (hasLaterRival) continue

      eventByName.set(name, event)
      eventsWithoutName.delete(event)
      onlyEvents.clear()
      isAnyMapped = true
    }
  }
  return eventByName
}

/** Whether deliveries of one name come before those of another one, for most of the records that both name. */
function comesBefore(one: readonly ForeignDelivery[], other: readonly ForeignDelivery[]): boolean {
  const timesOfOther = listFirstArrivals(other)
  let records = 0
  let earlierRecords = 0
  for (const [id, time] of listFirstArrivals(one)) {
    const timeOfOther = timesOfOther.get(id)
    if (timeOfOther === undefined) continue

    records++
    if (time < timeOfOther) earlierRecords++
  }
  return 2 * earlierRecords > records
}

/** When each record was first named, by its id. */
function listFirstArrivals(deliveries: readonly ForeignDelivery[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>()
  for (const { delivery, recordIds } of deliveries)
    for (const id of recordIds) {
      const earlier = times.get(id) ?? Number.POSITIVE_INFINITY
      times.set(id, Math.min(earlier, delivery.completeAt))
    }
  return times
}

/** Lists the events of the contract of which it is not known yet how the service names them. */
function listEventsWithoutName(
  deliveriesByName: ReadonlyMap<string, unknown>,
  form: ServiceForm,
): Set<string> {
  const events = Object.keys(behaviour.events)
  return new Set(
    events.filter((event) => {
      // Some delivery has the declared name.
      const isNamedAsDeclared = deliveriesByName.has(event)
      return !isNamedAsDeclared && !form.hasServiceEvent(event)
    }),
  )
}

/** Whether it is known which event a name means: it was learned before, or is the declared name itself. */
function hasMeaning(name: string, form: ServiceForm): boolean {
  return isDeclaredEvent(form.toContractEvent(name))
}

/** Groups deliveries by the name of their event, without those that show no name. */
function groupByName(
  foreign: readonly ForeignDelivery[],
  places: DeliveryPlaces,
): ReadonlyMap<string, readonly ForeignDelivery[]> {
  const noName = ''
  const byName = Map.groupBy(foreign, ({ body }) => stringAt(body, places.event) ?? noName)
  byName.delete(noName)
  return byName
}

/**
 * Whether an event fits deliveries with one name: most of them may report it, and they show the end of a
 * transfer that it says, if it says one.
 */
function isFitting(
  event: string,
  deliveries: readonly ForeignDelivery[],
  context: ReadingContext,
): boolean {
  const mayReportIt = deliveries.filter((delivery) => {
    const isAfterItsChange = delivery.possibleEvents.has(event)
    return isAfterItsChange && !showsOtherState(event, delivery, context)
  })
  // Not all of them: some may be wrong.
  const areMost = mayReportIt.length >= MIN_FITTING_PART * deliveries.length
  return areMost && hasMatchingTransferEnd(event, deliveries, context.places.record)
}

/**
 * Whether a delivery shows a state of the contract to which no transition with this event leads. Such as
 * `{ status: 'ATIVA' }`: a QR code that is still open was not cancelled. False if the status is unknown.
 */
function showsOtherState(
  event: string,
  { body }: ForeignDelivery,
  { places, form }: ReadingContext,
): boolean {
  const status = stringAt(body, `${places.record}/status`)
  if (status === undefined) return false

  // The record may be of several kinds: a QR code is immediate, or has a due date.
  const resources = behaviour.events[event]?.resource ?? []
  const kinds = declaredKinds.filter(({ name }) => resources.includes(name))
  const toState = (kind: Kind) => form.toContractWord({ kind, field: 'status', word: status })
  const isKnown = kinds.some((kind) => findState(kind, toState(kind)) !== undefined)
  if (!isKnown) return false

  // In the words of the contract, the state that each kind of record would be in.
  const states = new Set(kinds.map(toState))
  return !listStatesAfterEvent(event, kinds).some((state) => states.has(state))
}

/** Lists the states to which the transitions with an event lead: of `transfer.settled`, `['settled']`. */
function listStatesAfterEvent(event: string, kinds: readonly Kind[]): readonly string[] {
  const transitions = kinds.flatMap(listTransitions)
  const withEvent = transitions.filter(({ events = [] }) => events.includes(event))
  return withEvent.flatMap(({ to }) => to ?? [])
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
      if (to === undefined) continue

      const shownWord = findMostFrequent(readStatuses(foreign, events, { places, form }))
      // A word that the contract also has needs no translation.
      const isUndeclared = shownWord !== undefined && findState(kind, shownWord) === undefined
      if (isUndeclared) form.learnWord({ kind, field: 'status', word: to }, shownWord)
    }
}

/** Where deliveries show what they say, and what is known of the words in it. */
interface ReadingContext {
  readonly places: DeliveryPlaces
  readonly form: ServiceForm
}

/**
 * Learns the service's word for each state in which a record is created, and which it leaves by itself, such as
 * `pending` of a transfer: if transfers that settled later, as deliveries say, were shown as `QUEUED` when they were
 * created, that is the word for `pending`.
 */
function learnFirstStatuses(
  foreign: readonly ForeignDelivery[],
  changes: readonly Change[],
  context: ReadingContext,
): void {
  for (const kind of declaredKinds)
    for (const [word, state] of Object.entries(kind.resource.states ?? {})) {
      // For `pending`: the deliveries that say that a transfer has settled, or was rejected.
      const events = listEventsOfLeaving(state)
      const reports = foreign.filter(({ body }) => events.includes(readEvent(body, context)))

      const shownWord = findMostFrequent(readFirstStatuses(kind, changes, reports))
      if (shownWord === undefined) continue
      context.form.learnWord({ kind, field: 'status', word }, shownWord)
    }
}

/** Lists the events of the transitions by which a record leaves a state without a request of the partner. */
function listEventsOfLeaving({ on = {} }: State): readonly string[] {
  const transitions = Object.values(on).filter(({ by }) => by === 'service')
  return transitions.flatMap(({ events = [] }) => events)
}

/**
 * Reads the status that creations showed: `['QUEUED', 'QUEUED']`, of those records alone that some of the
 * `reports` name by their ids. A word that the contract has is left out: it needs no translation.
 */
function readFirstStatuses(
  kind: Kind,
  changes: readonly Change[],
  reports: readonly ForeignDelivery[],
): readonly string[] {
  const words: string[] = []
  for (const change of changes) {
    const hasLeft = reports.some(({ recordIds }) => recordIds.includes(change.id))
    const word = hasLeft ? readFirstStatus(kind, change) : undefined
    const isUndeclared = word !== undefined && findState(kind, word) === undefined
    if (isUndeclared) words.push(word)
  }
  return words
}

/** Reads the status that a creation showed of its record; undefined if the change is no creation. */
function readFirstStatus(kind: Kind, { id, exchange }: Change): string | undefined {
  const { operation, records } = exchange
  if (findAction(kind, operation?.id) !== 'create') return undefined

  const created = records.find((record) => record.id === id && record.kind.name === kind.name)
  return stringAt(created?.fields, '/status')
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
  const statuses: string[] = []
  for (const { body } of foreign) {
    if (!events.includes(readEvent(body, { places, form }))) continue

    const status = stringAt(body, `${places.record}/status`)
    if (status !== undefined) statuses.push(status)
  }
  return statuses
}

/** Finds the word that occurs most often; undefined if there is none. */
function findMostFrequent(words: readonly string[]): string | undefined {
  const groups = [...Map.groupBy(words, (word) => word).values()]
  const [largestGroup] = groups.toSorted((a, b) => b.length - a.length)
  return largestGroup?.[0]
}
