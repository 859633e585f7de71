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
import { type Arrival, type Change, CREDIT_ID, eventsTo, isOfCredit } from '../model/deliveries.ts'
import { type KnownRecord, sureValue } from '../model/records.ts'
import type { Model } from '../model.ts'
import type { Cites, Report } from '../report/report.ts'
import { wordOf } from '../report/sightings.ts'
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
  end(model, report) {
    for (const arrival of model.deliveries.arrivals) {
      const { delivery, event } = arrival
      reportOwnForm(arrival, report)
      const { scheme } = model.deliveries
      const differences = findShapeDifferences(arrival, model).filter(
        // A scheme of the service's own has headers of its own, and is one deviation.
        ({ place }) => scheme === undefined || place !== 'header',
      )
      // The document states nothing of the payload.
      if (differences.length === 0) report.passed(delivery, citeEvents([event]))

      const records = findRecords(arrival, model)
      for (const difference of differences) {
        const { contract, pointer, keyword } = difference
        const message = describeDifference(difference, arrival.body)
        const cites = citeShape(difference, arrival, records)
        report.failed(delivery, cites, `A delivery of ${event}${pointer}: ${message}.`, {
          operation: DELIVERY_OPERATION,
          about: `${events[event] ? event : 'unknown'} ${contract} ${keyword}`,
          keyword: contract,
        })
      }
    }
  },
}

/**
 * Reports a name or a place of the service's own as one deviation. Other rules read the event in
 * the form of the contract.
 */
function reportOwnForm(arrival: Arrival, report: Report): void {
  const { delivery, event, name, body, received } = arrival
  const isInOwnForm = body !== received
  const isKnown = events[event] !== undefined && name !== ''
  // Its fields may have words of the service's own, which is another question.
  if (!isInOwnForm || !isKnown || hasDeclaredPlaces(arrival)) return

  const message = `An event is named "${wordOf(name)}", or shows its fields at other places than /type, /timestamp and /data; expected ${event}.`
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
  return model.contract.deliveryDifferences({ name, headers, body })
}

/** What a difference rests on: the open question about the place, or what there is of events. */
function citeShape(
  { question, contract, pointer }: Difference,
  { body, event }: Arrival,
  records: readonly KnownRecord[],
): Cites {
  const [, name = ''] = /^\/data\/(.+)$/.exec(pointer) ?? []
  // What an event leaves out of its record is a question about events.
  const isLeftOut =
    readData(body)[name] === undefined && records.some(({ fields }) => fields.has(name))
  const isAboutEvents = contract === '/webhooks' || isLeftOut || events[event] === undefined
  if (question === undefined || isAboutEvents) return citeEvents([event])
  // The kind chooses between the schemas of a QR code, so that it has no schema of its own here.
  if (pointer === '/data/kind') return { question: 'code-kinds' }

  const isEmpty = isWithoutValue(valueAt(body, pointer))
  return isEmpty ? cite(behaviour.conventions.absentValues) : { question }
}

const deliveriesShown: Rule = {
  id: 'deliveries-shown',
  says: 'An event is named after the change, and shows the record and the times as they are then.',
  advice: 'Build the event from the record, in the transaction that changes it.',
  end(model, report) {
    for (const arrival of model.deliveries.arrivals) {
      const { event, record } = arrival
      const declared = events[event]
      if (isWithoutRecord(arrival)) reportWithoutRecord(arrival, report)
      if (model.deliveries.changesOf(record).length === 0 || !declared) continue
      // It shows no record.
      if (isOfCredit(event)) continue

      reportFaults(arrival, model, report)
    }
  },
}

/** Whether an event for the owner of a record shows only what is credited. */
function isWithoutRecord({ event, record, body }: Arrival): boolean {
  const isForOwner = events[event] !== undefined && !isOfCredit(event)
  return isForOwner && record === '' && stringAt(body, CREDIT_ID) !== undefined
}

function reportWithoutRecord({ delivery, event }: Arrival, report: Report): void {
  const message = `The event ${event} shows a credit, and no record; expected the record of its owner.`
  report.failed(delivery, citeEvents([event]), message, {
    operation: DELIVERY_OPERATION,
    about: `${event} without record`,
  })
}

function reportFaults(arrival: Arrival, model: Model, report: Report): void {
  const { delivery, event } = arrival
  const cites = citeEvents([event])
  const faults = findRecords(arrival, model).flatMap((known) =>
    findEventFaults(arrival, known, model),
  )
  if (faults.length === 0) report.passed(delivery, cites)

  for (const { words, entry } of faults) {
    const [kindOfFault] = words.split(';', 1)
    const citesOfFault = entry === undefined ? cites : { ...cites, entry }
    report.failed(delivery, citesOfFault, `The event ${event} ${words}.`, {
      operation: DELIVERY_OPERATION,
      about: `${event} ${kindOfFault}`,
      impact: 'high',
    })
  }
}

interface EventFault {
  readonly words: string
  /** The entry of spec/behaviour that it contradicts. Default: that of the event. */
  readonly entry?: string | undefined
}

function findEventFaults(arrival: Arrival, known: KnownRecord, model: Model): EventFault[] {
  const faults: EventFault[] = []
  // An event that follows no such change has no state to show.
  const fault = findNameFault(arrival, known, model) ?? findStateFault(arrival, known)
  if (fault) faults.push(fault)

  const ofContent = [findRecordFault(arrival, known, model), findTimesFault(arrival)]
  for (const words of ofContent) if (words !== undefined) faults.push({ words })
  return faults
}

/** The records that an event may be about. */
function findRecords({ event, record }: Arrival, { records }: Model): KnownRecord[] {
  const names = events[event]?.resource ?? []
  return names.flatMap((name) => records.find({ name }, record) ?? [])
}

function findNameFault(
  { event, record }: Arrival,
  { kind }: KnownRecord,
  model: Model,
): EventFault | undefined {
  const changes = model.deliveries.changesOf(record)
  const expected = changes.flatMap((change) => change.events)
  if (!expected.includes(event))
    return { words: `follows no such change; expected ${expected.join(' or ')}` }

  const isTooEarly = changes.every((change) => hasEndedOtherwise(change, model))
  if (!isTooEarly) return undefined
  const words = `follows a transfer that is not ${changes[0]?.after?.state}`
  return { words, entry: findTransitionPointer(kind, event) }
}

/** An event shows the state to which its transition leads. */
function findStateFault({ event, body }: Arrival, { kind }: KnownRecord): EventFault | undefined {
  const { status } = readData(body)
  const isOfOther = findState(kind, status) && !eventsTo(kind, status).includes(event)
  if (!isOfOther) return undefined
  return { words: `shows a record that is ${status}`, entry: findTransitionPointer(kind, event) }
}

/** The transition in spec/behaviour that an event follows. */
function findTransitionPointer(kind: Kind, event: string): string | undefined {
  const transition = listTransitions(kind).find(({ events = [] }) => events.includes(event))
  return transition && findEntryPointer(transition)
}

/**
 * Whether the transfer that a change waits for has ended in another state. An event without a
 * declaration may be the awaited end under another name.
 */
function hasEndedOtherwise(change: Change, model: Model): boolean {
  const { after } = change
  if (!after) return false

  const arrived = model.deliveries.eventsOf(after.transfer)
  const areDeclared = arrived.every((event) => events[event] !== undefined)
  return arrived.length > 0 && areDeclared && !hasHappened(change, model)
}

/**
 * The first field with another value than the record has. What had no value yet is not compared,
 * nor the fields that change by themselves.
 */
function findRecordFault(arrival: Arrival, known: KnownRecord, model: Model): string | undefined {
  const shown = readData(arrival.body)
  const expected = readStableFields(arrival, known, model)
  const isCompared = createFieldFilter(arrival, known, model)

  const wrongLeaf = leavesOf(expected).find(
    ([pointer, value]) => differsFrom(value, valueAt(shown, pointer)) && isCompared(pointer),
  )
  const lostField = Object.keys(expected).find(
    (name) => isObject(expected[name]) && shown[name] === null,
  )
  const field = wrongLeaf ? wrongLeaf[0].slice(1) : lostField
  return field === undefined ? undefined : `shows another ${field} than the record has`
}

/** What a record has, without the fields that change by themselves. */
function readStableFields(arrival: Arrival, known: KnownRecord, model: Model): Json {
  const changing = listChangingFields(arrival, known, model)
  const fields: Record<string, unknown> = {}
  for (const name of known.fields.keys())
    if (!changing.includes(`/${name}`)) fields[name] = sureValue(known, name)
  return fields
}

/** Whether a place has the contract's shape, and the response that created the record has it. */
function createFieldFilter(arrival: Arrival, known: KnownRecord, model: Model) {
  const { operation, status = 0 } = known.created ?? {}
  const place = operation?.record?.pointer ?? ''
  const misshaped = new Set(findShapeDifferences(arrival, model).map(({ pointer }) => pointer))
  return (pointer: string) =>
    operation?.field(status, `${place}${pointer}`) && !misshaped.has(`/data${pointer}`)
}

/**
 * Pointers of the status and of what changes by itself, unless the record was shown after the
 * change of this event, its last.
 */
function listChangingFields(
  { body, event, record }: Arrival,
  known: KnownRecord,
  model: Model,
): readonly string[] {
  const { touched, volatile = [] } = known.kind.resource
  const isLast = model.deliveries.changesOf(record).at(-1)?.events.includes(event)
  const isEnd = touched?.revision && isLast && sureValue(known, 'status') === readData(body).status
  if (!isEnd) return ['/status', ...volatile]

  const shownAt = (name: string) => known.fields.get(name)?.at(-1)?.by.completeAt ?? 0
  const unknown = volatile.filter((pointer) => shownAt(pointer.slice(1)) < shownAt('status'))
  return ['/status', ...unknown]
}

function differsFrom(value: unknown, other: unknown): boolean {
  if (other === undefined || value === undefined || value === null) return false
  if (!isFilled(String(value)) || isObject(value) || isSameValue(value, other)) return false
  // How a text is written is a question of its own.
  return !hasSameLetters(String(value), String(other))
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/** Milliseconds by which times of one service may differ. */
const NEAR_MS = 60_000

/** All times are by the clock of the service. */
function findTimesFault({ body, attemptedAt }: Arrival): string | undefined {
  const { created_at, settled_at } = readData(body)
  const created = parseTime(created_at)
  const moment = parseTime(fieldsOf(body).timestamp)
  if (isOutside(moment, created, attemptedAt)) return 'shows another time than that of the change'

  const isSettled = isFilled(String(settled_at))
  const isSettledElsewhere = isSettled && isOutside(parseTime(settled_at), created, moment)
  return isSettledElsewhere ? 'shows another settled_at than that of the change' : undefined
}

/** The time of a value; not a number if it has none. */
function parseTime(value: unknown): number {
  return Date.parse(String(value ?? ''))
}

function isOutside(time: number, from: number, until: number): boolean {
  return time < from - NEAR_MS || time > until + NEAR_MS
}

function readData(body: unknown): Json {
  return fieldsOf(fieldsOf(body).data)
}

export const eventRules = [deliveriesShaped, deliveriesShown, deliveriesSigned, deliveriesSecrets]
