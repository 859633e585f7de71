import { behaviour, findEntryPointer } from '../contract/behaviour.ts'
import {
  durationMs,
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
import { isSignedByStandard, schemeInWords, signedInWords } from '../form/signatures.ts'
import type { RecordedDelivery } from '../history.ts'
import {
  type Arrival,
  type Change,
  CREDIT_ID,
  eventsTo,
  isOfCredit,
  type KnownWebhook,
} from '../model/deliveries.ts'
import { type KnownRecord, sureValue } from '../model/records.ts'
import type { Model } from '../model.ts'
import type { Cites, Report } from '../report/report.ts'
import { wordOf } from '../report/sightings.ts'
import { citeEvents, hasHappened } from './deliveries.ts'
import { hasSameLetters } from './difference.ts'
import { cite, DELIVERY_OPERATION, describeDifference, type EndContext, type Rule } from './rule.ts'

const { events, deliveries } = behaviour

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

const deliveriesSigned: Rule = {
  id: 'deliveries-signed',
  says: 'A delivery is signed with a secret of its webhook, over its id, its time and its exact bytes.',
  advice: 'Sign the bytes that are sent, with the time of this attempt (Standard Webhooks 1.0.0).',
  settles: ['signature/'],
  end(model, report) {
    reportOwnScheme(model, report)
    for (const arrival of model.deliveries.arrivals) {
      const { delivery } = arrival
      const webhooks = model.deliveries.webhooksAt(delivery.url)
      const secrets = webhooks.flatMap((webhook) => webhook.secrets)
      if (secrets.length === 0) continue

      const { signatureHeader: header } = model.contract
      const isSigned = secrets.some(({ secret }) =>
        model.deliveries.isSigned(delivery, secret, header),
      )
      const isAsDeclared = isSigned && !model.deliveries.scheme
      if (!isAsDeclared) noteSignatureHeader(delivery, secrets, report)
      const fault = isSigned
        ? findTimestampFault(arrival, model)
        : describeSignatureFault(delivery, header)
      report.expect(
        fault === undefined,
        {
          evidence: delivery,
          cites: cite(deliveries.signature),
          operation: DELIVERY_OPERATION,
          about: fault ?? '',
          impact: 'high',
        },
        () => `A delivery cannot be verified with the secret of its webhook: ${fault}.`,
      )
    }
  },
}

/** A scheme of the service's own is one deviation. Its deliveries are verified by it. */
function reportOwnScheme({ deliveries: { scheme, arrivals } }: Model, report: Report): void {
  const [first] = arrivals
  if (!scheme || !first) return

  const message = `Deliveries are signed as "${schemeInWords(scheme)}" (${signedInWords(scheme)}); expected Standard Webhooks 1.0.0.`
  report.failed(first.delivery, cite(deliveries.signature), message, {
    operation: DELIVERY_OPERATION,
    about: 'own scheme',
    impact: 'high',
  })
}

/** Notes a header that verifies, but is not the declared one. */
function noteSignatureHeader(
  delivery: RecordedDelivery,
  secrets: KnownWebhook['secrets'],
  report: Report,
): void {
  const names = Object.keys(delivery.headers)
  const verifying = names.find((name) =>
    secrets.some(({ secret }) => isSignedByStandard(delivery, secret, name)),
  )
  const { question } = deliveries.signature
  const at = '/components/parameters/DeliverySignature'
  if (verifying !== undefined) report.saw({ question, at, of: 'name', seen: wordOf(verifying) })
}

function describeSignatureFault(delivery: RecordedDelivery, header: string): string {
  return hasHeaders(delivery, header) ? 'the signature is another one' : 'a header is missing'
}

function hasHeaders({ headers }: RecordedDelivery, signatureHeader: string): boolean {
  const names = ['webhook-id', 'webhook-timestamp', signatureHeader]
  return names.every((name) => headers[name] !== undefined)
}

/** Receivers refuse an attempt whose time is not near theirs. */
export function findTimestampFault(
  { at, attemptedAt }: Arrival,
  { serviceTimes }: Model,
): string | undefined {
  const toleranceMs = durationMs(deliveries.tolerance.duration)
  const [earliest, latest] = serviceTimes.near(at)
  const isNear = attemptedAt >= earliest - toleranceMs && attemptedAt <= latest + toleranceMs
  return isNear ? undefined : `its timestamp is more than ${toleranceMs / 1000} seconds off`
}

const deliveriesSecrets: Rule = {
  id: 'deliveries-secrets',
  says: 'After a rotation, deliveries are signed with the new secret, and with the old one for the declared time.',
  advice: 'Store when the old secret expires, and compare that with the clock at each attempt.',
  settles: ['secret-rotation/'],
  end(model, report) {
    for (const arrival of model.deliveries.arrivals) {
      const webhook = model.deliveries.webhookAt(arrival.delivery.url)
      if (webhook) expectSecrets(arrival, webhook, { model, report })
    }
  },
}

/** Milliseconds around the end of the old secret in which there is no case. */
const MARGIN_MS = 300_000

function expectSecrets(
  arrival: Arrival,
  { secrets, isSure }: KnownWebhook,
  { model, report }: EndContext,
): void {
  const { delivery, record } = arrival
  const [newest, old, ...older] = secrets.toReversed()
  if (!old || !newest || !isSure) return

  // With an unknown signature scheme, no secret can be verified.
  const { signatureHeader } = model.contract
  const isSignedWith = (secret: string) =>
    model.deliveries.isSigned(delivery, secret, signatureHeader)
  const isVerified = secrets.some(({ secret }) => isSignedWith(secret))
  if (!isVerified) return

  const [change] = model.deliveries.changesOf(record)
  const isAfterRotation = newest.by.completeAt < (change?.exchange.sentAt ?? 0)
  if (!isAfterRotation) return

  const { isBefore, isAfter } = compareWithOverlap(arrival, newest, model)
  const when = isAfter ? `More than ${deliveries.overlap.duration} after` : 'After'
  const expectSigned = (words: string, secret: string, isExpected: boolean) => {
    const signs = isSignedWith(secret)
    report.expect(
      signs === isExpected,
      {
        evidence: delivery,
        cites: cite(deliveries.overlap),
        operation: 'rotateWebhookSecret',
        about: `${words} ${isExpected}`,
        impact: 'high',
      },
      () =>
        `${when} a rotation, the ${words} secret ${signs ? 'signs' : 'does not sign'}; expected that it ${isExpected ? 'does' : 'does not'}.`,
    )
  }

  expectSigned('new', newest.secret, true)
  if (isBefore || isAfter) expectSigned('old', old.secret, isBefore)
  for (const { secret } of older) expectSigned('oldest', secret, false)
}

/** Whether an attempt was certainly made before, or after, the old secret ended. */
function compareWithOverlap(
  arrival: Arrival,
  { by: rotation }: KnownWebhook['secrets'][number],
  model: Model,
): { readonly isBefore: boolean; readonly isAfter: boolean } {
  if (findTimestampFault(arrival, model) !== undefined) return { isBefore: false, isAfter: false }

  const overlapMs = durationMs(deliveries.overlap.duration)
  const from = model.serviceTimes.at(rotation.sentAt) + overlapMs
  const to = model.serviceTimes.at(rotation.completeAt) + overlapMs
  return {
    isBefore: arrival.attemptedAt < from - MARGIN_MS,
    isAfter: arrival.attemptedAt > to + MARGIN_MS,
  }
}

export const eventRules = [deliveriesShaped, deliveriesShown, deliveriesSigned, deliveriesSecrets]
