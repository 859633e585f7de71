import { behaviour } from '../contract/behaviour.ts'
import { durationMs } from '../contract/json.ts'
import { describeScheme, describeSigned, isSignedByStandard } from '../form/signatures.ts'
import type { RecordedDelivery } from '../history.ts'
import type { Arrival, KnownWebhook } from '../model/deliveries.ts'
import type { Model } from '../model.ts'
import type { Report } from '../report/report.ts'
import { describeWord } from '../report/sightings.ts'
import { findTimestampFault } from './delivery-times.ts'
import type { EndContext, Rule } from './rule.ts'
import { cite, DELIVERY_OPERATION } from './rule.ts'

const { deliveries } = behaviour

export const deliveriesSigned: Rule = {
  id: 'deliveries-signed',
  says: 'A delivery is signed with a secret of its webhook, over its id, its time and its exact bytes.',
  advice: 'Sign the bytes that are sent, with the time of this attempt (Standard Webhooks 1.0.0).',
  settles: ['signature/'],
  /**
   * Expects that each delivery is signed with a secret of the webhook at its URL, and shows a time near to
   * its arrival. Without a known secret, nothing can be verified.
   */
  end(model, report) {
    reportOwnScheme(model, report)
    for (const arrival of model.deliveries.arrivals) {
      const { delivery } = arrival
      const webhooks = model.deliveries.listWebhooksAt(delivery.url)
      const secrets = webhooks.flatMap((webhook) => webhook.secrets)
      if (secrets.length === 0) continue

      const { signatureHeader } = model.contract
      const isSigned = secrets.some(({ secret }) =>
        model.deliveries.isSigned(delivery, secret, signatureHeader),
      )
      // A scheme is known only of a service that signs in a way of its own.
      const isAsDeclared = isSigned && !model.deliveries.scheme
      if (!isAsDeclared) noteSignatureHeader(delivery, secrets, report)

      const fault = isSigned
        ? findTimestampFault(arrival, model)
        : describeSignatureFault(delivery, signatureHeader)
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

/** Notes the header that has a valid signature of a delivery, where it is not the declared one. */
function noteSignatureHeader(
  delivery: RecordedDelivery,
  secrets: KnownWebhook['secrets'],
  report: Report,
): void {
  const names = Object.keys(delivery.headers)
  const signatureHeader = names.find((name) =>
    secrets.some(({ secret }) => isSignedByStandard(delivery, secret, name)),
  )
  const { question } = deliveries.signature
  const at = '/components/parameters/DeliverySignature'
  if (signatureHeader !== undefined)
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
  end(model, report) {
    for (const arrival of model.deliveries.arrivals) {
      const webhook = model.deliveries.findWebhookAt(arrival.delivery.url)
      if (webhook) expectRotatedSecrets(arrival, webhook, { model, report })
    }
  },
}

/** Milliseconds around the end of the old secret in which there is no case. */
const MARGIN_MS = 300_000

/**
 * Expects that a delivery after a rotation of the secret is signed with the new secret, with the old one
 * for the declared time (the overlap), and with older ones never.
 */
function expectRotatedSecrets(arrival: Arrival, webhook: KnownWebhook, context: EndContext): void {
  const { model, report } = context
  const { delivery } = arrival
  const [newest, old, ...older] = webhook.secrets.toReversed()
  if (!old || !newest || !webhook.isSure) return

  const { signatureHeader } = model.contract
  const isSignedWith = (secret: string) =>
    model.deliveries.isSigned(delivery, secret, signatureHeader)
  // If the service signs in an unknown way, no secret can be verified.
  const isVerified = webhook.secrets.some(({ secret }) => isSignedWith(secret))
  if (!isVerified) return

  const [change] = model.deliveries.listChanges(arrival.record)
  const isAfterRotation = change !== undefined && newest.by.completeAt < change.exchange.sentAt
  if (!isAfterRotation) return

  const { isBefore, isAfter } = compareWithOverlap(arrival, newest, model)
  const when = isAfter ? `More than ${deliveries.overlap.duration} after` : 'After'
  /**
   * Expects that the delivery is, or is not, signed with a secret.
   *
   * @param age `new`, `old` or `oldest`, for the message.
   */
  const expectSigned = (age: string, secret: string, mustSign: boolean) => {
    const signs = isSignedWith(secret)
    report.expect(
      signs === mustSign,
      {
        evidence: delivery,
        // How long the old secret signs is not stated, but that the new one does.
        cites: age === 'new' ? { fact: 'webhook-secret' } : cite(deliveries.overlap),
        operation: 'rotateWebhookSecret',
        about: `${age} ${mustSign}`,
        impact: 'high',
      },
      () =>
        `${when} a rotation, the ${age} secret ${signs ? 'signs' : 'does not sign'}; expected that it ${mustSign ? 'does' : 'does not'}.`,
    )
  }

  expectSigned('new', newest.secret, true)
  if (isBefore || isAfter) expectSigned('old', old.secret, isBefore)
  for (const { secret } of older) expectSigned('oldest', secret, false)
}

/**
 * Says whether a delivery was certainly attempted before (`isBefore`) or after (`isAfter`) the time at
 * which the old secret stops to sign. Both are false near that time, or if the delivery shows a wrong time.
 */
function compareWithOverlap(
  arrival: Arrival,
  { by: rotation }: KnownWebhook['secrets'][number],
  model: Model,
): { readonly isBefore: boolean; readonly isAfter: boolean } {
  if (findTimestampFault(arrival, model) !== undefined) return { isBefore: false, isAfter: false }

  const overlapMs = durationMs(deliveries.overlap.duration)
  const from = model.serviceTimes.toServiceTime(rotation.sentAt) + overlapMs
  const to = model.serviceTimes.toServiceTime(rotation.completeAt) + overlapMs
  return {
    isBefore: arrival.attemptedAt < from - MARGIN_MS,
    isAfter: arrival.attemptedAt > to + MARGIN_MS,
  }
}
