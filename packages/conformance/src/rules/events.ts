import { createHmac } from 'node:crypto'
import { behaviour } from '../contract/behaviour.ts'
import { durationMs, fieldsOf, isSameValue, leavesOf, valueAt } from '../contract/json.ts'
import { stateOf } from '../contract/kinds.ts'
import type { RecordedDelivery } from '../history.ts'
import { type Arrival, eventsTo, type KnownWebhook } from '../model/deliveries.ts'
import { type KnownRecord, sureValue } from '../model/records.ts'
import type { Model } from '../model.ts'
import { AT, eventCites } from './deliveries.ts'
import { filledFields, isFilled } from './money.ts'
import { cited, judge, type Reading, type Rule } from './rule.ts'

const { events, deliveries, invariants } = behaviour

const deliveriesShaped: Rule = {
  id: 'deliveries-shaped',
  says: 'Every delivery matches the schema of its event.',
  advice: 'Show a record in events by the function that shows it in responses.',
  end(model, report) {
    for (const arrival of model.deliveries.arrivals) {
      const { delivery, body, event } = arrival
      // The document states nothing of the payload.
      const source = eventCites([event])
      const found = model.contract.deliveryDifferences({
        name: event,
        headers: delivery.headers,
        body,
      })
      const known = recordsOf(arrival, model)
      for (const { question, contract, pointer, keyword, message } of found) {
        const [, name = ''] = /^\/data\/(.+)$/.exec(pointer) ?? []
        // What an event leaves out of its record is a question about events.
        const isLeftOut =
          dataOf(body)[name] === undefined && known.some((it) => it.fields.has(name))
        const isAboutEvents = contract === '/webhooks' || isLeftOut || events[event] === undefined
        const cites = question === undefined || isAboutEvents ? source : { question }
        const about = `${events[event] ? event : 'unknown'} ${contract} ${keyword}`
        report.failed(delivery, cites, `A delivery of ${event}${pointer}: ${message}.`, {
          ...AT,
          about,
        })
      }
      if (found.length === 0) report.passed(delivery, source)
    }
  },
}

const deliveriesShown: Rule = {
  id: 'deliveries-shown',
  says: 'An event is named after the change, and shows the record and the times as they are then.',
  advice: 'Build the event from the record, in the transaction that changes it.',
  end(model, report) {
    for (const arrival of model.deliveries.arrivals) {
      const { event, record, delivery, body } = arrival
      if (model.deliveries.changesOf(record).length === 0 || !events[event]) continue
      const cites = eventCites([event])
      const checks = [nameFault, recordFault, timesFault]
      const faults = recordsOf(arrival, model)
        .flatMap((known) => checks.map((it) => it(arrival, known, model)))
        .filter((it) => it !== undefined)
      for (const fault of faults) {
        const about = `${event} ${fault.split(';', 1)[0]}`
        report.failed(delivery, cites, `The event ${event} ${fault}.`, {
          ...AT,
          about,
          impact: 'high',
        })
      }
      if (faults.length === 0) report.passed(delivery, cites)
      const isTransfer = events[event].resource.includes('transfer')
      for (const { about, isRight, message } of isTransfer ? filledFields(dataOf(body)) : [])
        judge(report, delivery, {
          cites: cited(invariants[about]),
          message: !isRight && `The event ${event}: ${message}`,
          ...{ ...AT, about: `${event} ${about}`, impact: 'high' },
        })
    }
  },
}

/** The records that an event may be about. */
function recordsOf({ event, record }: Arrival, { records }: Model): KnownRecord[] {
  return (events[event]?.resource ?? []).flatMap((name) => records.find({ name }, record) ?? [])
}

function nameFault(
  { event, record, body }: Arrival,
  { kind }: KnownRecord,
  model: Model,
): string | undefined {
  const expected = model.deliveries.changesOf(record).flatMap(({ events }) => events)
  if (!expected.includes(event)) return `follows no such change; expected ${expected.join(' or ')}`
  const { status } = dataOf(body)
  const isOther = stateOf(kind, status) && !eventsTo(kind, status).includes(event)
  return isOther ? `shows a record that is ${status}` : undefined
}

/**
 * The first field with another value than the record has. What had no value yet is not compared,
 * nor the fields that change by themselves.
 */
function recordFault(arrival: Arrival, known: KnownRecord, model: Model): string | undefined {
  const { body, event: name, delivery } = arrival
  const changing = changingFields(arrival, known, model)
  const fields = [...known.fields.keys()].filter((it) => !changing.includes(`/${it}`))
  const shown = Object.fromEntries(fields.map((it) => [it, sureValue(known, it)]))
  const { operation, status = 0 } = known.created ?? {}
  const place = known.kind.places[operation?.id ?? ''] ?? ''
  const { headers } = delivery
  const misshaped = model.contract
    .deliveryDifferences({ name, headers, body })
    .map((it) => it.pointer)
  const isCompared = (pointer: string) =>
    operation?.field(status, `${place}${pointer}`) && !misshaped.includes(`/data${pointer}`)
  const found = leavesOf(shown).find(
    ([pointer, value]) => isOther(value, valueAt(dataOf(body), pointer)) && isCompared(pointer),
  )
  const lost = fields.find((it) => isObject(shown[it]) && dataOf(body)[it] === null)
  const field = found?.[0].slice(1) ?? lost
  return field && `shows another ${field} than the record has`
}

/**
 * Pointers of the status and of what changes by itself, unless the record was shown after the
 * change of this event, its last.
 */
function changingFields(
  { body, event, record }: Arrival,
  known: KnownRecord,
  { deliveries }: Model,
): readonly string[] {
  const { touched, volatile = [] } = known.kind.resource
  const isLast = deliveries.changesOf(record).at(-1)?.events.includes(event)
  const isEnd = touched?.revision && isLast && sureValue(known, 'status') === dataOf(body).status
  const shownAt = (name: string) => known.fields.get(name)?.at(-1)?.by.completeAt ?? 0
  const isKnown = (pointer: string) => isEnd && shownAt(pointer.slice(1)) >= shownAt('status')
  return ['/status', ...volatile.filter((it) => !isKnown(it))]
}

function isOther(value: unknown, other: unknown): boolean {
  const isThere = other !== undefined && value !== undefined && value !== null
  return isThere && isFilled(String(value)) && !isObject(value) && !isSameValue(value, other)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/** Milliseconds by which times of one service may differ. */
const NEAR = 60_000

/** All times are by the clock of the service. */
function timesFault({ body, attemptedAt }: Arrival): string | undefined {
  const { created_at, settled_at } = dataOf(body)
  const [moment, created, settled] = [fieldsOf(body).timestamp, created_at, settled_at].map((it) =>
    Date.parse(String(it ?? '')),
  ) as [number, number, number]
  const isOutside = (it: number, until: number) => it < created - NEAR || it > until + NEAR
  if (isOutside(moment, attemptedAt)) return 'shows another time than that of the change'
  const isOther = isFilled(String(settled_at)) && isOutside(settled, moment)
  return isOther ? 'shows another settled_at than that of the change' : undefined
}

function dataOf(body: unknown) {
  return fieldsOf(fieldsOf(body).data)
}

const deliveriesSigned: Rule = {
  id: 'deliveries-signed',
  says: 'A delivery is signed with a secret of its webhook, over its id, its time and its exact bytes.',
  advice: 'Sign the bytes that are sent, with the time of this attempt (Standard Webhooks 1.0.0).',
  settles: ['signature/'],
  end(model, report) {
    const cites = cited(deliveries.signature)
    for (const arrival of model.deliveries.arrivals) {
      const { delivery } = arrival
      const secrets = model.deliveries.webhooksAt(delivery.url).flatMap((it) => it.secrets)
      if (secrets.length === 0) continue
      const isSigned = secrets.some(({ secret }) => isSignedWith(delivery, secret))
      const unsigned = hasHeaders(delivery) ? 'the signature is another one' : 'a header is missing'
      const fault = isSigned ? timeFault(arrival, model) : unsigned
      const message =
        fault && `A delivery cannot be verified with the secret of its webhook: ${fault}.`
      judge(report, delivery, { cites, message, ...AT, about: fault ?? '', impact: 'high' })
    }
  },
}

function hasHeaders({ headers }: RecordedDelivery): boolean {
  return ['id', 'timestamp', 'signature'].every((it) => headers[`webhook-${it}`] !== undefined)
}

/** Whether a delivery verifies with a secret (Standard Webhooks 1.0.0, "Verifying signatures"). */
function isSignedWith(delivery: RecordedDelivery, secret: string): boolean {
  const { headers, text } = delivery
  if (!hasHeaders(delivery)) return false
  const [id, timestamp, signatures = ''] = ['id', 'timestamp', 'signature'].map(
    (it) => headers[`webhook-${it}`],
  )
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const hash = createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64')
  return signatures.split(' ').includes(`v1,${hash}`)
}

/** Receivers refuse an attempt whose time is not near theirs. */
export function timeFault(
  { at, attemptedAt }: Arrival,
  { serviceTimes }: Model,
): string | undefined {
  const ms = durationMs(deliveries.tolerance.duration)
  const [earliest, latest] = serviceTimes.near(at)
  const isNear = attemptedAt >= earliest - ms && attemptedAt <= latest + ms
  return isNear ? undefined : `its timestamp is more than ${ms / 1000} seconds off`
}

const deliveriesSecrets: Rule = {
  id: 'deliveries-secrets',
  says: 'After a rotation, deliveries are signed with the new secret, and with the old one for the declared time.',
  advice: 'Store when the old secret expires, and compare that with the clock at each attempt.',
  settles: ['secret-rotation/'],
  end(model, report) {
    for (const arrival of model.deliveries.arrivals) {
      const webhook = model.deliveries.webhookAt(arrival.delivery.url)
      if (webhook) judgeSecrets(arrival, webhook, { model, report })
    }
  },
}

/** Milliseconds around the end of the old secret in which there is no case. */
const MARGIN = 300_000

function judgeSecrets(
  arrival: Arrival,
  { secrets, isSure }: KnownWebhook,
  { model, report }: Omit<Reading, 'exchange'>,
): void {
  const { delivery, record, attemptedAt } = arrival
  const [change] = model.deliveries.changesOf(record)
  const [newest, old, ...older] = secrets.toReversed()
  // With another signature scheme, no secret can be verified.
  const isVerified = secrets.some(({ secret }) => isSignedWith(delivery, secret))
  if (!old || !newest || !isSure || !isVerified) return
  if (newest.by.completeAt >= (change?.exchange.sentAt ?? 0)) return
  const { overlap } = deliveries
  const end = durationMs(overlap.duration)
  const [from, to] = [newest.by.sentAt, newest.by.completeAt].map(
    (it) => model.serviceTimes.at(it) + end,
  )
  const isTimed = timeFault(arrival, model) === undefined
  const isBefore = isTimed && attemptedAt < Number(from) - MARGIN
  const isAfter = isTimed && attemptedAt > Number(to) + MARGIN
  const when = isAfter ? `More than ${overlap.duration} after` : 'After'
  const expect = (words: string, secret: string, isExpected: boolean) => {
    const signs = isSignedWith(delivery, secret)
    const message = `${when} a rotation, the ${words} secret ${signs ? 'signs' : 'does not sign'}; expected that it ${isExpected ? 'does' : 'does not'}.`
    judge(report, delivery, {
      cites: cited(overlap),
      message: signs !== isExpected && message,
      operation: 'rotateWebhookSecret',
      about: `${words} ${isExpected}`,
      impact: 'high',
    })
  }
  expect('new', newest.secret, true)
  if (isBefore || isAfter) expect('old', old.secret, isBefore)
  for (const { secret } of older) expect('oldest', secret, false)
}

export const eventRules = [deliveriesShaped, deliveriesShown, deliveriesSigned, deliveriesSecrets]
