import { behaviour } from '../contract/behaviour.ts'
import { durationMs } from '../contract/json.ts'
import {
  describeGivenFault,
  describeScheme,
  describeSigned,
  findStandardSignature,
  mayBeSigned,
} from '../form/signatures.ts'
import type { RecordedDelivery } from '../history.ts'
import type { Arrival, KnownWebhook } from '../model/deliveries.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Model } from '../model.ts'
import type { Report } from '../report/report.ts'
import { describeWord } from '../report/sightings.ts'
import { findTimestampFault } from './delivery-times.ts'
import type { EndContext, Rule } from './rule.ts'
import { cite, DELIVERY_OPERATION } from './rule.ts'
import { listReportedChanges } from './subscriptions.ts'

const { deliveries } = behaviour

export const deliveriesSigned: Rule = {
  id: 'deliveries-signed',
  says: 'A delivery is signed with a secret of its webhook, over its id, its time and its exact bytes.',
  advice: 'Sign the bytes that are sent, with the time of this attempt (Standard Webhooks 1.0.0).',
  settles: ['signature/'],
  /** Judges the signature of each delivery to a webhook of which the history shows a secret. */
  end(model, report) {
    reportOwnScheme(model, report)
    for (const arrival of model.deliveries.arrivals) {
      const webhooks = model.deliveries.listWebhooksAt(arrival.delivery.url)
      const secrets = webhooks.flatMap((webhook) => webhook.secrets)
      const canVerify = secrets.length > 0
      if (!canVerify) continue

      expectSigned(arrival, secrets, { model, report })
      reportUnsigned(arrival, { model, report })
    }
  },
}

/**
 * Reports a delivery about a change that has nothing that could be a signature. Where the signature stands is an open
 * question; that there is one, which the secret confirms, is a fact.
 */
function reportUnsigned(arrival: Arrival, { model, report }: EndContext): void {
  const { delivery } = arrival
  if (mayBeSigned(delivery)) return

  // A service may test a new URL before it has shown the secret, by an event that the contract does not have.
  const changes = listReportedChanges(arrival, model)
  const reportsChange = changes.some(({ events }) => events.includes(arrival.event))
  if (!reportsChange) return

  const message = 'A delivery has no signature: no header and no field could be one.'
  report.failed(delivery, { fact: 'webhook-secret' }, message, {
    operation: DELIVERY_OPERATION,
    about: 'unsigned',
  })
}

/** A secret of a webhook, and the request that issued it. */
type IssuedSecret = KnownWebhook['secrets'][number]

/**
 * Expects that one of the secrets verifies the signature of a delivery, and that the delivery shows a time near to its
 * arrival. If the checker has found out that the service signs in a way of its own, it verifies by that.
 */
function expectSigned(
  arrival: Arrival,
  secrets: readonly IssuedSecret[],
  { model, report }: EndContext,
): void {
  const { delivery } = arrival
  const { scheme, givenScheme } = model.deliveries
  const isVerified = secrets.some((issued) => isSignedWith(issued, arrival, model))
  // Then the signature is in the declared header, and there is no other name to note.
  const isSignedAsDeclared = isVerified && scheme === undefined
  if (!isSignedAsDeclared) noteSignatureHeader(delivery, secrets, report)

  // Receivers also refuse a right signature over a time that is too old.
  const fault = isVerified
    ? findTimestampFault(arrival, model)
    : describeSignatureFault(delivery, model.contract.signatureHeader)
  report.expect(
    fault === undefined,
    {
      evidence: delivery,
      cites: cite(deliveries.signature),
      operation: DELIVERY_OPERATION,
      about: fault ?? '',
      impact: 'high',
    },
    () => {
      // The scheme that the user gave does not verify it, and says more exactly what is missing.
      const isGivenWrong = !isVerified && givenScheme !== undefined
      const reason = isGivenWrong ? describeGivenFault(delivery, givenScheme) : fault
      return `A delivery cannot be verified with the secret of its webhook: ${reason}.`
    },
  )
}

/**
 * Reports, once, that a service signs in another way than Standard Webhooks. The checker has found out
 * how it signs, and verifies its deliveries by that scheme.
 */
function reportOwnScheme({ deliveries: { scheme, arrivals } }: Model, report: Report): void {
  const [first] = arrivals
  if (!scheme || !first) return

  const message = `Deliveries are signed as "${describeScheme(scheme)}" (${describeSigned(scheme)}); expected Standard Webhooks 1.0.0.`
  report.failed(first.delivery, cite(deliveries.signature), message, {
    operation: DELIVERY_OPERATION,
    about: 'own scheme',
    impact: 'high',
  })
}

/**
 * Notes the name of the header that has a valid signature of a delivery, such as `x-signature`. An open question
 * asks for it. Does nothing if no header has one.
 */
function noteSignatureHeader(
  delivery: RecordedDelivery,
  secrets: readonly IssuedSecret[],
  report: Report,
): void {
  const names = Object.keys(delivery.headers)
  const found = secrets.map(({ secret }) => findStandardSignature(delivery, secret, names))
  const signatureHeader = found.find((name) => name !== undefined)
  if (signatureHeader === undefined) return

  const { question } = deliveries.signature
  const at = '/components/parameters/DeliverySignature'
  report.saw({ question, at, of: 'name', seen: describeWord(signatureHeader) })
}

/** Says why no secret verifies a delivery. */
function describeSignatureFault(delivery: RecordedDelivery, header: string): string {
  return hasSignatureHeaders(delivery, header)
    ? 'the signature is another one'
    : 'a header is missing'
}

function hasSignatureHeaders({ headers }: RecordedDelivery, signatureHeader: string): boolean {
  const names = ['webhook-id', 'webhook-timestamp', signatureHeader]
  return names.every((name) => headers[name] !== undefined)
}

export const deliveriesSecrets: Rule = {
  id: 'deliveries-secrets',
  says: 'After a rotation, deliveries are signed with the new secret, and with the old one for the declared time.',
  advice: 'Store when the old secret expires, and compare that with the clock at each attempt.',
  settles: ['secret-rotation/'],
  /** Judges which secrets sign each delivery to a URL that only one webhook has. */
  end(model, report) {
    for (const arrival of model.deliveries.arrivals) {
      const webhook = model.deliveries.findWebhookAt(arrival.delivery.url)
      if (webhook?.areSettingsKnown) expectRotatedSecrets(arrival, webhook, { model, report })
    }
  },
}

/**
 * Expects that a delivery after a rotation is signed with the new secret of its webhook, for the declared time (the
 * overlap) with the old one too, and never with older ones. Does nothing if there was no rotation.
 */
function expectRotatedSecrets(arrival: Arrival, webhook: KnownWebhook, context: EndContext): void {
  const [newest, old, ...older] = webhook.secrets.toReversed()
  if (!newest || !old) return
  if (!isAfterRotation(arrival, newest.by, context.model)) return

  // If the service signs in an unknown way, no secret can be verified.
  const isVerified = webhook.secrets.some((issued) => isSignedWith(issued, arrival, context.model))
  if (!isVerified) return

  // Whether the overlap lasts still (`during`), is over (`after`), or `uncertain`.
  const overlap = locateInOverlap(arrival, newest.by, context.model)
  const attempt = { arrival, overlap }
  expectSecret(newest, { ...attempt, age: 'new', mustSign: true }, context)

  if (overlap !== 'uncertain')
    expectSecret(old, { ...attempt, age: 'old', mustSign: overlap === 'during' }, context)

  for (const oldest of older)
    expectSecret(oldest, { ...attempt, age: 'oldest', mustSign: false }, context)
}

/**
 * Whether the change of a record that a delivery reports was requested after the secret was rotated. False if the
 * history does not show that change.
 */
function isAfterRotation(arrival: Arrival, rotation: Exchange, { deliveries }: Model): boolean {
  const { record, event, delivery, at: arrivedAt } = arrival
  // If the id of the record is not at its declared place, it may be anywhere in the text.
  const changes = record === '' ? deliveries.changes : deliveries.listChanges(record)
  const firstChange = changes.find(({ id, events, exchange }) => {
    const isReported = events.includes(event) && delivery.text.includes(`"${id}"`)
    return isReported && exchange.sentAt < arrivedAt
  })
  // If the first change that the delivery may report came after the rotation, so did the reported one.
  return firstChange !== undefined && rotation.completeAt < firstChange.exchange.sentAt
}

/** Whether a delivery has a signature that one secret verifies. */
function isSignedWith(
  { secret }: IssuedSecret,
  { delivery }: Arrival,
  { deliveries, contract }: Model,
): boolean {
  return deliveries.isSigned(delivery, secret, contract.signatureHeader)
}

/** What is expected of a secret at one delivery. */
interface ExpectedSigning {
  readonly arrival: Arrival
  readonly overlap: OverlapPlace
  readonly age: 'new' | 'old' | 'oldest'
  readonly mustSign: boolean
}

/**
 * Expects that a delivery is signed with a secret (`mustSign`), or that it is not: the new secret must sign after
 * a rotation, and the old one must not, once the overlap is over.
 */
function expectSecret(
  issued: IssuedSecret,
  { arrival, overlap, age, mustSign }: ExpectedSigning,
  { model, report }: EndContext,
): void {
  const signs = isSignedWith(issued, arrival, model)
  report.expect(
    signs === mustSign,
    {
      evidence: arrival.delivery,
      // How long the old secret signs is not stated, but that the new one does.
      cites: age === 'new' ? { fact: 'webhook-secret' } : cite(deliveries.overlap),
      operation: 'rotateWebhookSecret',
      about: `${age} ${mustSign}`,
      impact: 'high',
    },
    () => {
      const when = overlap === 'after' ? `More than ${deliveries.overlap.duration} after` : 'After'
      const seen = signs ? 'signs' : 'does not sign'
      const expected = mustSign ? 'does' : 'does not'
      return `${when} a rotation, the ${age} secret ${seen}; expected that it ${expected}.`
    },
  )
}

/** Whether a delivery was attempted while the old secret still signs, or after that. */
type OverlapPlace = 'during' | 'after' | 'uncertain'

/** Milliseconds around the end of the overlap in which it is not certain whether the old secret signs. */
const MARGIN_MS = 300_000

/**
 * Says whether a delivery was attempted in the time after a rotation in which both secrets sign (`during`), or
 * later (`after`). `uncertain` near its end, and for a delivery whose time cannot be right.
 */
function locateInOverlap(arrival: Arrival, rotation: Exchange, model: Model): OverlapPlace {
  const isTimeWrong = findTimestampFault(arrival, model) !== undefined
  if (isTimeWrong) return 'uncertain'

  const overlapMs = durationMs(deliveries.overlap.duration)
  const earliestEnd = model.serviceTimes.toServiceTime(rotation.sentAt) + overlapMs
  const latestEnd = model.serviceTimes.toServiceTime(rotation.completeAt) + overlapMs
  if (arrival.attemptedAt < earliestEnd - MARGIN_MS) return 'during'
  if (arrival.attemptedAt > latestEnd + MARGIN_MS) return 'after'
  return 'uncertain'
}
