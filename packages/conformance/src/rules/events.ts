import { behaviour, findEntryPointer } from '../contract/behaviour.ts'
import {
  fieldsOf,
  isFilled,
  isSameValue,
  isWithoutValue,
  type Json,
  leavesOf,
  stringAt,
  valueAt,
} from '../contract/json.ts'
import { findState, type Kind, listTransitions } from '../contract/kinds.ts'
import {
  type Arrival,
  type Change,
  CREDIT_ID,
  isCreditEvent,
  listEventsOfState,
} from '../model/deliveries.ts'
import { type KnownRecord, readCertainValue } from '../model/records.ts'
import type { Model } from '../model.ts'
import type { Cites, Report } from '../report/report.ts'
import { describeWord } from '../report/sightings.ts'
import { hasHappened } from './delivery-times.ts'
import { hasSameLetters } from './difference.ts'
import { deliveriesSecrets, deliveriesSigned } from './event-signatures.ts'
import { cite, DELIVERY_OPERATION, describeDifference, type Rule } from './rule.ts'
import { citeEvents } from './subscriptions.ts'

const { events } = behaviour

const deliveriesShaped: Rule = {
  id: 'deliveries-shaped',
  says: 'Every delivery matches the schema of its event.',
  advice: 'Show a record in events by the function that shows it in responses.',
  /** Reports each difference between a delivery and the schema of its event. */
  end(model, report) {
    for (const arrival of model.deliveries.arrivals) {
      const { delivery, event } = arrival
      reportOtherForm(arrival, report)
      const { scheme } = model.deliveries
      const differences = findShapeDifferences(arrival, model).filter(
        // A scheme of the service's own has headers of its own, and is one deviation.
        ({ place }) => scheme === undefined || place !== 'header',
      )
      // The document states nothing of the payload.
      if (differences.length === 0) report.passed(delivery, citeEvents([event]))

      const records = findRecords(arrival, model)
      for (const difference of differences) {
        const { contract: keywordPointer, pointer, keyword } = difference
        const message = describeDifference(difference, arrival.body)
        const cites = citeShape(difference, arrival, records)
        report.failed(delivery, cites, `A delivery of ${event}${pointer}: ${message}.`, {
          operation: DELIVERY_OPERATION,
          about: `${events[event] ? event : 'unknown'} ${keywordPointer} ${keyword}`,
          keyword: keywordPointer,
        })
      }
    }
  },
}

/**
 * Reports an event that has another name than the declared one, or its fields at other places than the
 * contract says. The checker translates such an event (`received`) into the form of the contract (`body`),
 * which other rules read.
 */
function reportOtherForm(arrival: Arrival, report: Report): void {
  const { delivery, event, name, body, received } = arrival
  const isTranslated = body !== received
  const isMeantEventDeclared = events[event] !== undefined && name !== ''
  // Values in other words, such as of a status, are reported by another rule.
  if (!isTranslated || !isMeantEventDeclared || hasDeclaredPlaces(arrival)) return

  const message = `An event is named "${describeWord(name)}", or shows its fields at other places than /type, /timestamp and /data; expected ${event}.`
  report.failed(delivery, citeEvents([event]), message, {
    operation: DELIVERY_OPERATION,
    about: `own form of ${event}`,
  })
}

/** Whether a delivery shows the name of its event, its time and its record where the contract does. */
function hasDeclaredPlaces({ event, received }: Arrival): boolean {
  const isPlaced = ['/timestamp', '/data'].every((place) => valueAt(received, place) !== undefined)
  return isPlaced && valueAt(received, '/type') === event
}

type Difference = ReturnType<typeof findShapeDifferences>[number]

/** Where a delivery differs from the schema of its event. */
function findShapeDifferences({ delivery: { headers }, body, event: name }: Arrival, model: Model) {
  return model.contract.listDeliveryDifferences({ name, headers, body })
}

/**
 * Cites what a difference between a delivery and its schema contradicts: the open question about the
 * field, or, where the event as a whole is the matter, the one about events.
 */
function citeShape(
  { question, contract: keywordPointer, pointer }: Difference,
  { body, event }: Arrival,
  records: readonly KnownRecord[],
): Cites {
  // Empty for a difference outside of the record.
  const [, field = ''] = /^\/data\/(.+)$/.exec(pointer) ?? []
  const isUnknownEvent = keywordPointer === '/webhooks' || events[event] === undefined
  // That an event leaves out a field of its record is a question about events.
  const isLeftOut =
    readData(body)[field] === undefined && records.some(({ fields }) => fields.has(field))
  if (question === undefined || isUnknownEvent || isLeftOut) return citeEvents([event])

  // The kind chooses between the schemas of a QR code, so that it has no schema of its own here.
  if (pointer === '/data/kind') return { question: 'code-kinds' }

  const isWordForNothing = isWithoutValue(valueAt(body, pointer))
  return isWordForNothing ? cite(behaviour.conventions.absentValues) : { question }
}

const deliveriesShown: Rule = {
  id: 'deliveries-shown',
  says: 'An event is named after the change, and shows the record and the times as they are then.',
  advice: 'Build the event from the record, in the transaction that changes it.',
  /** Compares each delivery with the known record that it is about: its event, its fields and its times. */
  end(model, report) {
    for (const arrival of model.deliveries.arrivals) {
      const { event, record } = arrival
      if (isWithoutRecord(arrival)) reportWithoutRecord(arrival, report)

      // The event of a credit shows no record.
      const isDeclared = events[event] !== undefined && !isCreditEvent(event)
      const isAboutKnownRecord = model.deliveries.listChanges(record).length > 0
      if (isDeclared && isAboutKnownRecord) expectRightEvent(arrival, model, report)
    }
  },
}

/** Whether an event for the owner of a record shows only what is credited. */
function isWithoutRecord({ event, record, body }: Arrival): boolean {
  const isForOwner = events[event] !== undefined && !isCreditEvent(event)
  return isForOwner && record === '' && stringAt(body, CREDIT_ID) !== undefined
}

function reportWithoutRecord({ delivery, event }: Arrival, report: Report): void {
  const message = `The event ${event} shows a credit, and no record; expected the record of its owner.`
  report.failed(delivery, citeEvents([event]), message, {
    operation: DELIVERY_OPERATION,
    about: `${event} without record`,
  })
}

/**
 * Reports each fault of an event: it has the wrong name, or does not show its record and its times as
 * they were at the change. An event without faults passes.
 */
function expectRightEvent(arrival: Arrival, model: Model, report: Report): void {
  const { delivery, event } = arrival
  const cites = citeEvents([event])
  const records = findRecords(arrival, model)
  const faults = records.flatMap((record) => findEventFaults(arrival, record, model))
  if (faults.length === 0) report.passed(delivery, cites)

  for (const { words, entry } of faults) {
    // What follows a semicolon is what was expected, which is no part of the id.
    const [kindOfFault] = words.split(';', 1)
    report.failed(
      delivery,
      entry === undefined ? cites : { ...cites, entry },
      `The event ${event} ${words}.`,
      {
        operation: DELIVERY_OPERATION,
        about: `${event} ${kindOfFault}`,
        impact: 'high',
      },
    )
  }
}

interface EventFault {
  /** Such as `shows another amount than the record has`. */
  readonly words: string
  /** The entry of spec/behaviour that it contradicts. Default: that of the event. */
  readonly entry?: string | undefined
}

/** Lists what is wrong with an event about a record: its name or state, then its fields, then its times. */
function findEventFaults(arrival: Arrival, record: KnownRecord, model: Model): EventFault[] {
  const faults: EventFault[] = []

  // An event that follows no such change has no state to show.
  const changeFault = findNameFault(arrival, record, model) ?? findStateFault(arrival, record)
  if (changeFault) faults.push(changeFault)

  const recordFault = findRecordFault(arrival, record, model)
  if (recordFault !== undefined) faults.push({ words: recordFault })

  const timesFault = findTimesFault(arrival)
  if (timesFault !== undefined) faults.push({ words: timesFault })

  return faults
}

/** Finds the records that an event may be about: one id may be that of records of several kinds. */
function findRecords({ event, record }: Arrival, { records }: Model): KnownRecord[] {
  const names = events[event]?.resource ?? []
  return names.flatMap((name) => records.find({ name }, record) ?? [])
}

/**
 * Finds that an event is named after a change that did not happen: none of the record's changes has this
 * event, or the change waited for a transfer that ended in another way. Undefined if the name is right.
 */
function findNameFault(
  { event, record }: Arrival,
  { kind }: KnownRecord,
  model: Model,
): EventFault | undefined {
  const changes = model.deliveries.listChanges(record)
  const expected = changes.flatMap((change) => change.events)
  if (!expected.includes(event))
    return { words: `follows no such change; expected ${expected.join(' or ')}` }

  // Such a change waits for a transfer to end in one state, and it has ended in another one.
  const hasNoCause = changes.every((change) => hasEndedOtherwise(change, model))
  if (!hasNoCause) return undefined

  const awaitedState = changes[0]?.after?.state
  return {
    words: `follows a transfer that is not ${awaitedState}`,
    entry: findTransitionPointer(kind, event),
  }
}

/**
 * Finds that an event shows another status than the one to which its transition leads; undefined if it
 * does not, or if the contract does not declare the status.
 */
function findStateFault({ event, body }: Arrival, { kind }: KnownRecord): EventFault | undefined {
  const { status } = readData(body)
  const isDeclared = findState(kind, status) !== undefined
  const isOfOtherState = isDeclared && !listEventsOfState(kind, status).includes(event)
  if (!isOfOtherState) return undefined
  return { words: `shows a record that is ${status}`, entry: findTransitionPointer(kind, event) }
}

/** Finds the transition in spec/behaviour that an event follows. */
function findTransitionPointer(kind: Kind, event: string): string | undefined {
  const transition = listTransitions(kind).find(({ events = [] }) => events.includes(event))
  return transition && findEntryPointer(transition)
}

/**
 * Whether the transfer that a change waits for (`after`) has ended in another state, as its events show.
 * False if an event has an undeclared name: it may be the awaited one.
 */
function hasEndedOtherwise(change: Change, model: Model): boolean {
  const { after } = change
  if (!after) return false

  const arrivedEvents = model.deliveries.listEvents(after.transfer)
  const areDeclared = arrivedEvents.every((event) => events[event] !== undefined)
  return arrivedEvents.length > 0 && areDeclared && !hasHappened(change, model)
}

/**
 * Finds the first field that an event shows with another value than its record has, as a text:
 * `shows another amount/original than the record has`. Undefined if all agree. Fields without a value
 * are not compared.
 */
function findRecordFault(arrival: Arrival, record: KnownRecord, model: Model): string | undefined {
  const eventFields = readData(arrival.body)
  const recordFields = readStableFields(arrival, record, model)
  const canCompare = createFieldFilter(arrival, record, model)

  const isTouched = (pointer: string) =>
    isTimeOfChange({ pointer, value: valueAt(eventFields, pointer) }, arrival, record, model)

  const [wrongPointer] =
    leavesOf(recordFields).find(([pointer, value]) => {
      const differs = differsFrom(value, valueAt(eventFields, pointer))
      return differs && canCompare(pointer) && !isTouched(pointer)
    }) ?? []
  // An object of the record that the event shows as null has no leaf to compare.
  const lostField = Object.keys(recordFields).find(
    (name) => isObject(recordFields[name]) && eventFields[name] === null,
  )
  const field = wrongPointer?.slice(1) ?? lostField
  return field === undefined ? undefined : `shows another ${field} than the record has`
}

/**
 * Whether a field that is not declared to change says when the record was changed, as `updated_at` does:
 * a response shows that only after the change.
 */
function isTimeOfChange(
  { pointer, value }: { readonly pointer: string; readonly value: unknown },
  { record: id, attemptedAt }: Arrival,
  { kind }: KnownRecord,
  model: Model,
): boolean {
  const change = model.deliveries.listChanges(id).at(-1)
  const isDateTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)
  const { touched, volatile = [] } = kind.resource
  const isDeclared = pointer === touched?.created || volatile.includes(pointer)
  if (!change || !isDateTime || isDeclared) return false
  return !isOutside(parseTime(value), model.timeAt(change.exchange.sentAt), attemptedAt)
}

/** Reads the certain fields of a record, without those that change by themselves. */
function readStableFields(arrival: Arrival, record: KnownRecord, model: Model): Json {
  const changing = listChangingFields(arrival, record, model)
  const names = [...record.fields.keys()].filter((name) => !changing.includes(`/${name}`))
  return Object.fromEntries(names.map((name) => [name, readCertainValue(record, name)]))
}

/**
 * Creates a predicate that says whether the field at a pointer into the record can be compared: the
 * response that created the record declares it, and the event shows it in the shape of the contract.
 */
function createFieldFilter(arrival: Arrival, record: KnownRecord, model: Model) {
  // Without the creation, no field is declared, and none is compared.
  const { operation, status = 0 } = record.created ?? {}
  const place = operation?.record?.pointer ?? ''
  const differences = findShapeDifferences(arrival, model)
  const misshaped = new Set(differences.map(({ pointer }) => pointer))

  return (pointer: string): boolean => {
    const isDeclared = operation?.field(status, `${place}${pointer}`) !== undefined
    return isDeclared && !misshaped.has(`/data${pointer}`)
  }
}

/**
 * Lists the pointers of the fields that an event may show with another value: the status, and those that
 * change by themselves, such as `/updated_at`. The event of the last change can be compared with those
 * that a response has shown after the change, so they are not listed then.
 */
function listChangingFields(
  { body, event, record: id }: Arrival,
  record: KnownRecord,
  model: Model,
): readonly string[] {
  const { touched, volatile = [] } = record.kind.resource
  // A later change moves these fields again. A resource with a revision shows whether there was one.
  const lastChange = model.deliveries.listChanges(id).at(-1)
  const isOfLastChange = lastChange?.events.includes(event)
  const isInLastState = readCertainValue(record, 'status') === readData(body).status
  const areComparable = touched?.revision && isOfLastChange && isInLastState
  if (!areComparable) return ['/status', ...volatile]

  const findShownTime = (name: string) => record.fields.get(name)?.at(-1)?.by.completeAt ?? 0
  const shownBefore = volatile.filter(
    (pointer) => findShownTime(pointer.slice(1)) < findShownTime('status'),
  )
  return ['/status', ...shownBefore]
}

/** Whether an event shows another value than its record has; false if one of both has none. */
function differsFrom(recorded: unknown, shown: unknown): boolean {
  if (shown === undefined || recorded === undefined || recorded === null) return false
  const isWordForNothing = !isFilled(String(recorded))
  if (isWordForNothing) return false

  // The fields of an object are compared one by one.
  if (isObject(recorded)) return false
  if (isSameValue(recorded, shown)) return false

  // Another rule judges how a text is written, such as without accents.
  return !hasSameLetters(String(recorded), String(shown))
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/** Milliseconds by which times of one service may differ. */
const NEAR_MS = 60_000

/**
 * Finds a wrong time of an event, as a text; undefined if there is none. The change lies between the
 * creation of the record and the attempt to deliver the event, and the settlement before the change. All
 * times are by the clock of the service.
 */
function findTimesFault({ body, attemptedAt }: Arrival): string | undefined {
  const { created_at, settled_at } = readData(body)
  const created = parseTime(created_at)
  const changed = parseTime(fieldsOf(body).timestamp)
  if (isOutside(changed, created, attemptedAt)) return 'shows another time than that of the change'

  // A time that the event leaves out is not a number, which is outside of nothing. Of other words for no
  // value, such as 0001-01-01 of a service in Go, some are times.
  const isSettled = isFilled(String(settled_at))
  const isSettledAtOtherTime = isSettled && isOutside(parseTime(settled_at), created, changed)
  return isSettledAtOtherTime ? 'shows another settled_at than that of the change' : undefined
}

/** Parses a time in milliseconds since 1970; not a number if the value has none. */
function parseTime(value: unknown): number {
  return Date.parse(String(value ?? ''))
}

/**
 * Whether a time lies outside of a span, by more than clocks differ. A time or an end of the span that is
 * not a number excludes nothing.
 */
function isOutside(time: number, from: number, until: number): boolean {
  return time < from - NEAR_MS || time > until + NEAR_MS
}

/** Reads the record that an event shows. */
function readData(body: unknown): Json {
  return fieldsOf(fieldsOf(body).data)
}

export const eventRules = [deliveriesShaped, deliveriesShown, deliveriesSigned, deliveriesSecrets]
