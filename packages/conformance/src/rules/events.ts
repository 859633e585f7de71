import { behaviour, findEntryPointer } from '../contract/behaviour.ts'
import {
  fieldsOf,
  isFilled,
  isWithoutValue,
  type Json,
  leavesOf,
  parseTime,
  stringAt,
  timeAt,
  valueAt,
} from '../contract/json.ts'
import { fieldName, findState, type Kind, listTransitions } from '../contract/kinds.ts'
import {
  type Arrival,
  type Change,
  CREDIT_ID,
  isCreditEvent,
  listEventsOfState,
} from '../model/deliveries.ts'
import { hasSameLetters } from '../model/letters.ts'
import { type KnownRecord, readCertainValue } from '../model/records.ts'
import type { Model } from '../model.ts'
import type { Cites, Report } from '../report/report.ts'
import { describeWord } from '../report/sightings.ts'
import { hasHappened } from './delivery-times.ts'
import { deliveriesSecrets, deliveriesSigned } from './event-signatures.ts'
import { findShownTime } from './fields.ts'
import { cite, DELIVERY_OPERATION, describeDifference, type EndContext, type Rule } from './rule.ts'
import { citeEvents } from './subscriptions.ts'
import { isOfMasking, isSameOrMasked, MASKING_QUESTION } from './tax-ids.ts'

const { events } = behaviour

const deliveriesShaped: Rule = {
  id: 'deliveries-shaped',
  says: 'Every delivery matches the schema of its event.',
  advice: 'Show a record in events by the function that shows it in responses.',
  /** Compares each delivery with the schema of its event, and reports each difference; one without any passes. */
  end(model, report) {
    for (const arrival of model.deliveries.arrivals) {
      reportOtherForm(arrival, report)

      const differences = listJudgedDifferences(arrival, model)
      if (differences.length === 0) report.passed(arrival.delivery, citeEvents([arrival.event]))
      for (const difference of differences) reportDifference(difference, arrival, { model, report })
    }
  },
}

/** Lists where a delivery differs from the schema of its event, as far as this rule judges that. */
function listJudgedDifferences(arrival: Arrival, model: Model): readonly Difference[] {
  const differences = findShapeDifferences(arrival, model)
  // A scheme of the service's own has headers of its own, which is one deviation of another rule.
  const hasOwnScheme = model.deliveries.scheme !== undefined
  return hasOwnScheme ? differences.filter(({ place }) => place !== 'header') : differences
}

/** Reports one difference between a delivery and the schema of its event. */
function reportDifference(
  difference: Difference,
  arrival: Arrival,
  { model, report }: EndContext,
): void {
  // `pointer` is where the event differs, such as `/data/amount`, and `contract` where the contract has the keyword.
  const { contract: keywordPointer, pointer, keyword } = difference
  const { delivery, event, body } = arrival
  const cites = citeShape(difference, arrival, findRecords(arrival, model))
  const message = `A delivery of ${event}${pointer}: ${describeDifference(difference, body)}.`
  // Undeclared names get one id of a finding for all.
  const eventInId = events[event] ? event : 'unknown'
  report.failed(delivery, cites, message, {
    operation: DELIVERY_OPERATION,
    about: `${eventInId} ${keywordPointer} ${keyword}`,
    keyword: keywordPointer,
  })
}

/**
 * Reports an event that has another name than the declared one, or its fields at other places than the contract
 * says: `{ event: 'pix.done', payload: … }`. The checker has translated such an event (`received`) into the form
 * of the contract (`body`): `{ type: 'transfer.settled', data: … }`, which other rules read.
 */
function reportOtherForm(arrival: Arrival, report: Report): void {
  const { delivery, event, name, body, received } = arrival
  const isTranslated = body !== received
  if (!isTranslated) return
  // The form is right, and only words in it were translated, such as a status. Another rule reports them.
  if (hasDeclaredPlaces(arrival)) return

  const isKnownEvent = name !== '' && events[event] !== undefined
  if (!isKnownEvent) return

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
 * Cites what a difference between a delivery and its schema contradicts: the open question about the field. For an
 * undeclared event, or a field that the event leaves out, it is the question about events.
 */
function citeShape(
  difference: Difference,
  { body, event }: Arrival,
  records: readonly KnownRecord[],
): Cites {
  const { question, pointer } = difference
  const isOfWholeEvent = question === undefined || isOfUndeclaredEvent(difference, event)
  if (isOfWholeEvent) return citeEvents([event])
  // Which fields of its record an event shows is a question about events.
  if (leavesOutField(pointer, body, records)) return citeEvents([event])

  // The field `kind` chooses the schema of a QR code, so that the difference does not name the question about `kind`.
  if (pointer === '/data/kind') return { question: 'code-kinds' }

  // A masked tax ID, or a word such as `n/a`, has not the form of the field for another reason.
  if (isOfMasking(difference, body)) return MASKING_QUESTION
  const isWordForNothing = isWithoutValue(valueAt(body, pointer))
  return isWordForNothing ? cite(behaviour.conventions.absentValues) : { question }
}

/** Whether a difference concerns the event as a whole, since the contract does not declare it. */
function isOfUndeclaredEvent({ contract: keywordPointer }: Difference, event: string): boolean {
  return keywordPointer === '/webhooks' || events[event] === undefined
}

/** Whether a pointer into an event is that of a field which its record has, and the event leaves out. */
function leavesOutField(pointer: string, body: unknown, records: readonly KnownRecord[]): boolean {
  const inData = '/data/'
  if (!pointer.startsWith(inData)) return false

  const field = pointer.slice(inData.length)
  const isInEvent = readData(body)[field] !== undefined
  const isInRecord = records.some(({ fields }) => fields.has(field))
  return isInRecord && !isInEvent
}

const deliveriesShown: Rule = {
  id: 'deliveries-shown',
  says: 'An event is named after the change, and shows the record and the times as they are then.',
  advice: 'Build the event from the record, in the transaction that changes it.',
  /**
   * Compares each delivery with the known record that it is about: the name of its event, the fields that it
   * shows of the record, and its times. The event of a credit, which goes to the receiver, shows no record.
   */
  end(model, report) {
    for (const arrival of model.deliveries.arrivals) {
      const { event, record } = arrival
      if (isWithoutRecord(arrival)) reportWithoutRecord(arrival, report)

      const isAboutKnownRecord = model.deliveries.listChanges(record).length > 0
      if (isForOwner(event) && isAboutKnownRecord) expectRightEvent(arrival, model, report)
    }
  },
}

/** Whether an event is declared, and goes to the owner of the record, and not to the receiver of a credit. */
function isForOwner(event: string): boolean {
  return events[event] !== undefined && !isCreditEvent(event)
}

/** Whether an event that should show a record to its owner shows only what is credited to a receiver. */
function isWithoutRecord({ event, record, body }: Arrival): boolean {
  const showsCredit = stringAt(body, CREDIT_ID) !== undefined
  return isForOwner(event) && record === '' && showsCredit
}

/** Reports an event that shows a credit in place of the record that it is about. */
function reportWithoutRecord({ delivery, event }: Arrival, report: Report): void {
  const message = `The event ${event} shows a credit, and no record; expected the record of its owner.`
  report.failed(delivery, citeEvents([event]), message, {
    operation: DELIVERY_OPERATION,
    about: `${event} without record`,
  })
}

/**
 * Reports each fault of an event: it has the wrong name, or does not show its record and its times as they were
 * at the change. A fault is written as `The event qrcode.paid follows no such change; expected qrcode.cancelled.`
 * An event without faults passes.
 */
function expectRightEvent(arrival: Arrival, model: Model, report: Report): void {
  const { delivery, event } = arrival
  const cites = citeEvents([event])
  const records = findRecords(arrival, model)
  const faults = records.flatMap((record) => findEventFaults(arrival, record, model))
  if (faults.length === 0) report.passed(delivery, cites)

  for (const { words, expected, entry } of faults) {
    const expectation = expected === undefined ? '' : `; expected ${expected}`
    const message = `The event ${event} ${words}${expectation}.`
    report.failed(delivery, entry === undefined ? cites : { ...cites, entry }, message, {
      operation: DELIVERY_OPERATION,
      about: `${event} ${words}`,
      impact: 'high',
    })
  }
}

interface EventFault {
  /** Such as `shows another amount than the record has`. It is part of the id of the finding. */
  readonly words: string
  /** What was expected, if the words do not say that. */
  readonly expected?: string
  /** The entry of spec/behaviour that it contradicts. Default: that of the event. */
  readonly entry?: string | undefined
}

/** Lists what is wrong with an event about a record: its name or state, then its fields, then its times. */
function findEventFaults(arrival: Arrival, record: KnownRecord, model: Model): EventFault[] {
  const faults: EventFault[] = []

  // The state is compared only if the name of the event is right.
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
 * Finds that an event is named after a change that did not happen: none of the record's changes causes this event,
 * or each of them waited for a transfer that ended in another way, as `qrcode.paid` of a code whose transfer was
 * rejected. Undefined if the name is right.
 */
function findNameFault(
  { event, record }: Arrival,
  { kind }: KnownRecord,
  model: Model,
): EventFault | undefined {
  const changes = model.deliveries.listChanges(record)
  const expectedEvents = changes.flatMap((change) => change.events)
  if (!expectedEvents.includes(event))
    return { words: 'follows no such change', expected: expectedEvents.join(' or ') }

  const areAllExcluded = changes.every((change) => hasEndedOtherwise(change, model))
  if (!areAllExcluded) return undefined

  // Then each change has waited for a transfer, which should have ended in this state.
  const awaitedState = changes[0]?.after?.state
  return {
    words: `follows a transfer that is not ${awaitedState}`,
    entry: findTransitionPointer(kind, event),
  }
}

/**
 * Finds that an event shows its record in another status than the one that it reports: `transfer.settled` with
 * `{ status: 'rejected' }`. Undefined if the status is right, or one that the contract does not declare.
 */
function findStateFault({ event, body }: Arrival, { kind }: KnownRecord): EventFault | undefined {
  const { status } = readData(body)
  const isDeclared = findState(kind, status) !== undefined
  if (!isDeclared) return undefined

  const reportsState = listEventsOfState(kind, status).includes(event)
  if (reportsState) return undefined
  return { words: `shows a record that is ${status}`, entry: findTransitionPointer(kind, event) }
}

/** Finds the pointer of the transition in spec/behaviour that an event follows; undefined if none causes it. */
function findTransitionPointer(kind: Kind, event: string): string | undefined {
  const transition = listTransitions(kind).find(({ events = [] }) => events.includes(event))
  return transition && findEntryPointer(transition)
}

/**
 * Whether the transfer that a change waits for (`after`) has ended in another state, as its events show: a code is
 * paid only after its transfer has settled, and not after it was rejected. False if the change waits for no
 * transfer, or if an event of the transfer has an undeclared name, since that may be the awaited one.
 */
function hasEndedOtherwise(change: Change, model: Model): boolean {
  const { after } = change
  if (!after) return false

  const arrivedEvents = model.deliveries.listEvents(after.transfer)
  const areDeclared = arrivedEvents.every((event) => events[event] !== undefined)
  const hasKnownEvents = arrivedEvents.length > 0 && areDeclared
  return hasKnownEvents && !hasHappened(change, model)
}

/**
 * Finds the first field that an event shows with another value than its record has, as a text:
 * `shows another amount/original than the record has`. Undefined if all agree.
 */
function findRecordFault(arrival: Arrival, record: KnownRecord, model: Model): string | undefined {
  // The fields that have not changed since the event: `{ id: 'tr_1', amount: { original: '10.00' } }`.
  const recordFields = readStableFields(arrival, record, model)
  const field =
    findDifferentLeaf(recordFields, arrival, record, model) ??
    findLostObject(recordFields, readData(arrival.body))
  return field === undefined ? undefined : `shows another ${field} than the record has`
}

/**
 * Finds the first value (leaf) inside the fields of a record that an event shows otherwise, as its path:
 * `amount/original`. Undefined if all that can be compared agree.
 */
function findDifferentLeaf(
  recordFields: Json,
  arrival: Arrival,
  record: KnownRecord,
  model: Model,
): string | undefined {
  const eventFields = readData(arrival.body)
  const canCompare = createFieldFilter(arrival, record, model)
  for (const [pointer, recorded] of leavesOf(recordFields)) {
    const shown = valueAt(eventFields, pointer)
    if (!differsFrom(pointer, recorded, shown)) continue
    // The creation does not declare the field, or the event shows it in another shape.
    if (!canCompare(pointer)) continue

    // A field such as `paid_at` may show the time of this change, which no response has shown yet.
    const isNewTime = !isDeclaredTime(pointer, record) && isTimeOfChange(shown, arrival, model)
    if (isNewTime) continue

    return pointer.slice(1)
  }
  return undefined
}

/** Finds an object or array of a record that an event shows as null, so that it has no leaf to compare. */
function findLostObject(recordFields: Json, eventFields: Json): string | undefined {
  for (const [name, recorded] of Object.entries(recordFields)) {
    const isNullInEvent = eventFields[name] === null
    // Of an empty one, null loses nothing.
    const hasContent = isStructured(recorded) && Object.keys(recorded).length > 0
    if (isNullInEvent && hasContent) return name
  }
  return undefined
}

/** Whether the contract declares that a field is the time of the creation, or changes by itself. */
function isDeclaredTime(pointer: string, { kind }: KnownRecord): boolean {
  const { touched, volatile = [] } = kind.resource
  return pointer === touched?.created || volatile.includes(pointer)
}

/**
 * Whether a value is a time between the last change of the record of an event and the event itself, as its
 * `updated_at` is.
 */
function isTimeOfChange(value: unknown, arrival: Arrival, model: Model): boolean {
  const change = model.deliveries.listChanges(arrival.record).at(-1)
  const isDateTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)
  if (!change || !isDateTime) return false

  const requestedAt = model.timeAt(change.exchange.sentAt)
  return !isOutside(parseTime(value), { from: requestedAt, until: arrival.attemptedAt })
}

/** Reads the certain fields of a record, without those that change by themselves. */
function readStableFields(arrival: Arrival, record: KnownRecord, model: Model): Json {
  const changing = listChangingFields(arrival, record, model)
  const names = [...record.fields.keys()].filter((name) => !changing.includes(`/${name}`))
  return Object.fromEntries(names.map((name) => [name, readCertainValue(record, name)]))
}

/**
 * Creates a predicate for the fields of a record that can be compared, which it takes as pointers: `/amount/original`.
 * The response that created the record must declare the field, and the event must show it in its declared shape.
 */
function createFieldFilter(arrival: Arrival, record: KnownRecord, model: Model) {
  const differences = findShapeDifferences(arrival, model)
  const misshaped = new Set(differences.map(({ pointer }) => pointer))
  return (pointer: string): boolean =>
    isDeclaredByCreation(pointer, record) && !misshaped.has(`/data${pointer}`)
}

/** Whether the response that created a record declares a field; false if the creation is not known. */
function isDeclaredByCreation(pointer: string, { created }: KnownRecord): boolean {
  if (!created?.operation) return false

  const { operation, status } = created
  // Where the response shows the record, such as `/data`.
  const place = operation.record?.pointer ?? ''
  return operation.field(status, `${place}${pointer}`) !== undefined
}

/**
 * Lists the pointers of the fields that an event may show with another value than its record has now: the status,
 * and those that change by themselves (volatile), such as `/updated_at`.
 */
function listChangingFields(
  arrival: Arrival,
  record: KnownRecord,
  model: Model,
): readonly string[] {
  const { volatile = [] } = record.kind.resource
  if (!isOfNewestState(arrival, record, model)) return ['/status', ...volatile]

  // Nothing has changed since the event. A volatile field that was shown after the status changed has the value of the
  // event, so that only those may differ that were not shown since.
  const statusShownAt = findShownTime(record, 'status')
  const notShownSince = volatile.filter(
    (pointer) => findShownTime(record, fieldName(pointer)) < statusShownAt,
  )
  return ['/status', ...notShownSince]
}

/**
 * Whether an event certainly shows its record as it is now: it reports the last known change, and shows the status
 * that the record has. False for a kind without a revision, which may change unseen.
 */
function isOfNewestState(
  { body, event, record: id }: Arrival,
  record: KnownRecord,
  model: Model,
): boolean {
  // Without a revision (`touched` names the field), the record may have changed unseen.
  const hasRevision = record.kind.resource.touched?.revision !== undefined
  if (!hasRevision) return false

  const lastChange = model.deliveries.listChanges(id).at(-1)
  const reportsLastChange = lastChange?.events.includes(event) === true
  if (!reportsLastChange) return false

  return readCertainValue(record, 'status') === readData(body).status
}

/**
 * Whether an event certainly shows another value than its record has. False if either has none, or if they
 * differ only in how they are written: `10.0` and `10.00`, a masked tax ID, or a text without accents.
 */
function differsFrom(pointer: string, recorded: unknown, shown: unknown): boolean {
  if (shown === undefined || recorded === undefined || recorded === null) return false
  // An empty string, or a word for no value, such as `n/a`.
  const isWordForNothing = !isFilled(String(recorded))
  if (isWordForNothing) return false

  // What is inside is compared leaf by leaf.
  if (isStructured(recorded)) return false
  if (isSameOrMasked(pointer, recorded, shown)) return false

  // Another rule judges how a text is written, such as without accents.
  return !hasSameLetters(String(recorded), String(shown))
}

/** Whether a value has values inside: an object or an array, which RFC 8259 calls structured. */
function isStructured(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Milliseconds by which times of one service may differ. */
const NEAR_MS = 60_000

/**
 * Finds a wrong time of an event, as a text; undefined if there is none. The times must be in order: first the
 * creation of the record, then `settled_at`, then the change (`timestamp`), then the attempt to deliver it.
 */
function findTimesFault({ body, attemptedAt }: Arrival): string | undefined {
  const createdAt = timeAt(body, '/data/created_at')
  const changedAt = timeAt(body, '/timestamp')
  const isOtherChange = isOutside(changedAt, { from: createdAt, until: attemptedAt })
  if (isOtherChange) return 'shows another time than that of the change'

  // A word for no value may be a time, such as 0001-01-01 of a service in Go.
  const hasEnd = isFilled(stringAt(body, '/data/settled_at') ?? '')
  const settledAt = hasEnd ? timeAt(body, '/data/settled_at') : undefined
  const isOtherEnd = isOutside(settledAt, { from: createdAt, until: changedAt })
  return isOtherEnd ? 'shows another settled_at than that of the change' : undefined
}

/** A time in milliseconds since 1970; undefined if there is none. */
type Time = number | undefined

/** Whether a time lies before or after a span, by more than clocks differ. Only known times count. */
function isOutside(
  time: Time,
  { from, until }: { readonly from: Time; readonly until: Time },
): boolean {
  if (time === undefined) return false

  const isBefore = from !== undefined && time < from - NEAR_MS
  const isAfter = until !== undefined && time > until + NEAR_MS
  return isBefore || isAfter
}

/** Reads the record that an event shows. */
function readData(body: unknown): Json {
  return fieldsOf(fieldsOf(body).data)
}

export const eventRules = [deliveriesShaped, deliveriesShown, deliveriesSigned, deliveriesSecrets]
