import { createHmac } from 'node:crypto'
import { durationMs } from '../contract/duration.ts'
import type { RecordedDelivery } from '../history.ts'
import type { Arrival, KnownWebhook } from '../model/deliveries.ts'
import type { Model } from '../model.ts'
import type { Report } from '../report/report.ts'
import { deliveryPatience, isServingAfter, versionsBetween, webhookAt, webhooksAt } from './delivered.ts'
import { cited, type Rule } from './rule.ts'

export const deliveriesSigned: Rule = {
  id: 'deliveries-signed',
  says: 'A delivery is signed with a secret of its webhook, over its id, its time and its exact bytes.',
  advice: 'Sign the bytes that are sent, with the time of this attempt (Standard Webhooks 1.0.0).',
  settles: ['signature/'],
  end(model, report) {
    const cites = cited(model.contract.behaviour.deliveries?.signature)
    for (const arrival of model.deliveries.arrivals) {
      const secrets = webhooksAt(arrival.delivery.url, model.deliveries).flatMap((it) => it.secrets)
      if (secrets.length === 0) continue
      const texts = secrets.map(({ secret }) => secret)
      const fault = signatureFault(arrival.delivery, texts) ?? timeFault(arrival, model)
      const message = `A delivery cannot be verified with the secret of its webhook: ${fault}.`
      if (fault === undefined) report.passed(arrival.delivery, cites)
      else report.failed(arrival.delivery, cites, message, { ...AT, about: fault, impact: 'high' })
    }
  },
}

/** Why a delivery does not verify (Standard Webhooks 1.0.0, "Verifying signatures"); undefined where it does. */
function signatureFault(delivery: RecordedDelivery, secrets: readonly string[]): string | undefined {
  const { headers } = delivery
  const isWhole = ['id', 'timestamp', 'signature'].every((it) => headers[`webhook-${it}`] !== undefined)
  if (!isWhole) return 'a header is missing'
  return secrets.some((it) => isSignedWith(delivery, it)) ? undefined : 'the signature is another one'
}

function isSignedWith({ headers, text }: RecordedDelivery, secret: string): boolean {
  const [id, timestamp, signatures = ''] = ['id', 'timestamp', 'signature'].map(
    (it) => headers[`webhook-${it}`],
  )
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const hash = createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64')
  return signatures.split(' ').includes(`v1,${hash}`)
}

/** Receivers refuse an attempt whose time is not near theirs. */
function timeFault({ at, attemptedAt }: Arrival, { contract, serviceTimes }: Model): string | undefined {
  const { duration = 'PT300S' } = contract.behaviour.deliveries?.tolerance ?? {}
  const ms = durationMs(duration)
  const [earliest, latest] = serviceTimes.near(at)
  const isNear = attemptedAt >= earliest - ms && attemptedAt <= latest + ms
  return isNear ? undefined : `its timestamp is more than ${ms / 1000} seconds off`
}

export const deliveriesSecrets: Rule = {
  id: 'deliveries-secrets',
  says: 'After a rotation, deliveries are signed with the new secret, and with the old one for the declared time.',
  advice: 'Store when the old secret expires, and compare that with the clock at each attempt.',
  settles: ['secret-rotation/'],
  end(model, report) {
    for (const arrival of model.deliveries.arrivals) {
      const webhook = webhookAt(arrival.delivery.url, model)
      if (webhook) judgeSecrets(arrival, webhook, { model, report })
    }
  },
}

interface Reading {
  readonly model: Model
  readonly report: Report
}

/** Milliseconds around the end of the old secret in which there is no case. */
const MARGIN = 300_000

function judgeSecrets(arrival: Arrival, webhook: KnownWebhook, { model, report }: Reading): void {
  const { delivery, record } = arrival
  const [change] = model.deliveries.changesOf(record)
  const [old, newest] = webhook.secrets.slice(-2)
  const caused = change?.exchange.sentAt ?? 0
  // With another signature scheme, no secret can be verified.
  const isVerified = webhook.secrets.some(({ secret }) => isSignedWith(delivery, secret))
  if (!old || !newest || !webhook.isSure || !isVerified || newest.by.completeAt >= caused) return
  const { overlap } = model.contract.behaviour.deliveries ?? {}
  const { serviceTimes } = model
  const end = durationMs(overlap?.duration ?? 'PT0S')
  const isTimed = timeFault(arrival, model) === undefined
  const isBefore = isTimed && arrival.attemptedAt < serviceTimes.at(newest.by.sentAt) + end - MARGIN
  const isAfter = isTimed && arrival.attemptedAt > serviceTimes.at(newest.by.completeAt) + end + MARGIN
  const expect = (words: string, secret: string, isExpected: boolean) => {
    const signs = isSignedWith(delivery, secret)
    const message = `${isAfter ? `More than ${overlap?.duration} after` : 'After'} a rotation, the ${words} secret ${signs ? 'signs' : 'does not sign'}; expected that it ${isExpected ? 'does' : 'does not'}.`
    const place = {
      operation: 'rotateWebhookSecret',
      about: `${words} ${isExpected}`,
      impact: 'high',
    } as const
    if (signs === isExpected) report.passed(delivery, cited(overlap))
    else report.failed(delivery, cited(overlap), message, place)
  }
  expect('new', newest.secret, true)
  if (isBefore || isAfter) expect('old', old.secret, isBefore)
}

export const deliveriesRetried: Rule = {
  id: 'deliveries-retried',
  says: 'A delivery is retried until it gets a 2xx, with the same id and body, and a new timestamp and signature.',
  advice: 'Retry on every other status by the schedule, and not at all for a webhook that was deleted.',
  settles: ['delivery/'],
  end(model, report) {
    const patience = deliveryPatience(model)
    const messages = Map.groupBy(
      model.deliveries.arrivals,
      ({ delivery, message }) => `${delivery.url} ${message}`,
    )
    for (const attempts of messages.values()) {
      const url = attempts[0]?.delivery.url ?? ''
      const webhook = webhookAt(url, model)
      if (webhooksAt(url, model.deliveries).length === 0) judgeElsewhere(attempts, { model, report })
      else if (webhook?.isSure && attempts[0]?.message !== undefined)
        for (const judge of [judgeSuccess, judgeFailure, judgeTime, judgeSameness, judgeDeletion])
          judge({ attempts, webhook, patience, model, report })
    }
  },
}

interface Case extends Reading {
  /** All arrivals with one id at one URL. */
  readonly attempts: readonly Arrival[]
  readonly webhook: KnownWebhook
  readonly patience: number
}

/** Milliseconds between attempts, since one may arrive more than once. */
const APART = 2_500
/** Milliseconds by which a retry may be late, by the clock of the service. */
const OVERDUE = 7_000
/** The endpoint is gone: Standard Webhooks lets the sender disable it. */
const GONE = 410

/** The first arrival of each attempt, by the time that it shows. */
function distinct(attempts: readonly Arrival[]): Arrival[] {
  const found: Arrival[] = []
  for (const it of attempts) {
    const last = found.at(-1)
    if (!last || it.attemptedAt - last.attemptedAt > APART) found.push(it)
  }
  return found
}

function isSuccess({ delivery: { status } }: Arrival): boolean {
  return status >= 200 && status < 300
}

function judgeSuccess({ attempts, model, report }: Case): void {
  const success = attempts.find(isSuccess)
  const { deliveries } = model.contract.behaviour
  const later =
    success && attempts.find((it) => it.attemptedAt - success.attemptedAt > APART && it.at > success.at)
  if (!success) return
  const message = `A delivery was attempted again after ${success.delivery.status}; expected no further attempt.`
  const place = { ...AT, about: `again after ${success.delivery.status}` }
  if (later) report.failed(later.delivery, cited(deliveries), message, place)
  else report.passed(success.delivery, cited(deliveries))
}

function judgeFailure(it: Case): void {
  const { attempts, model, report } = it
  const { deliveries } = model.contract.behaviour
  const waits = (deliveries?.waits ?? []).map(durationMs)
  const all = distinct(attempts)
  const [last] = all.slice(-1)
  if (!last || attempts.some((it) => timeFault(it, model) !== undefined)) return
  const early = all.find(
    (it, i) => (all[i + 1]?.attemptedAt ?? Number.NaN) - it.attemptedAt < (waits[i] ?? 0) / 2,
  )
  const tooEarly = 'A delivery was attempted again in less than half of the declared wait.'
  if (early) report.failed(early.delivery, cited(deliveries), tooEarly, { ...AT, about: 'early' })
  const tooMany = `A delivery was attempted ${all.length} times; expected ${waits.length + 1} attempts at most.`
  if (all.length > waits.length + 1)
    report.failed(last.delivery, cited(deliveries), tooMany, { ...AT, about: 'many' })
  if (all.length > 1) report.passed(last.delivery, cited(deliveries))
  if (!attempts.some(isSuccess) && last.delivery.status !== GONE)
    judgeEnd(it, all.length, waits[all.length - 1])
}

/** Whether the last attempt, which failed, had to be followed by another one. */
function judgeEnd(
  { attempts, webhook, patience, model, report }: Case,
  count: number,
  wait: number | undefined,
): void {
  const [last] = attempts.slice(-1)
  if (!last || wait === undefined) return
  const { deliveries, serviceTimes } = model
  const overdue = serviceTimes.since(last.attemptedAt + wait + OVERDUE)
  const isKept = versionsBetween(webhook, last.at, overdue + patience).length === 1
  const isLater = last.at > serviceTimes.since(last.attemptedAt + wait / 2)
  if (isLater || !isKept || !deliveries.isWhole || overdue + patience > deliveries.lastAt) return
  const { status } = last.delivery
  const words = status === 0 ? 'a connection that breaks' : `${status}`
  const declared = model.contract.behaviour.deliveries
  const message = `A delivery was not attempted again after ${words}; expected attempt ${count + 1} within ${declared?.waits[count - 1]}.`
  if (isServingAfter(overdue, model))
    report.failed(last.delivery, cited(declared), message, { ...AT, about: `after ${words} ${count}` })
}

/** A first attempt that failed is followed by one with another time. */
function judgeTime({ attempts, model, report }: Case): void {
  const [first] = attempts
  const { waits = [], signature } = model.contract.behaviour.deliveries ?? {}
  if (!first || isSuccess(first) || timeFault(first, model) !== undefined) return
  const due = model.serviceTimes.since(first.attemptedAt + durationMs(waits[0] ?? 'PT0S') / 2)
  const isRetried = attempts.some(({ at }) => at > due)
  const isAnew = attempts.some(({ attemptedAt }) => attemptedAt > first.attemptedAt)
  const message = 'A later attempt has the time of the first; expected its own.'
  if (isRetried && !isAnew)
    report.failed(first.delivery, cited(signature), message, { ...AT, about: 'time of the first' })
}

function judgeSameness({ attempts, model, report }: Case): void {
  const [first] = attempts
  const isSame = attempts.every(({ delivery }) => delivery.text === first?.delivery.text)
  const message = 'A later attempt has another body than the first; expected the same.'
  const { deliveries } = model.contract.behaviour
  if (first && !isSame) report.failed(first.delivery, cited(deliveries), message, { ...AT, about: 'body' })
}

/** Milliseconds after a deletion in which an attempt may have been on its way. */
const ON_ITS_WAY = 2_000

function judgeDeletion({ attempts, webhook, model, report }: Case): void {
  const deleted = webhook.versions.find(({ state }) => state === 'deleted')
  const { resources = {} } = model.contract.behaviour
  if (!deleted) return
  const since = model.serviceTimes.at(deleted.by.completeAt)
  const [first] = attempts
  const late = attempts.find(({ attemptedAt }) => attemptedAt > since + ON_ITS_WAY)
  const cites = cited(resources.webhook?.states?.deleted)
  const message = 'A delivery was attempted again after its webhook was deleted; expected no further attempt.'
  const isOlder = first && first.at < deleted.by.sentAt
  if (late && isOlder) report.failed(late.delivery, cites, message, { ...AT, about: 'after deletion' })
}

/** Deliveries to a URL of no webhook: where a redirect leads. */
function judgeElsewhere(attempts: readonly Arrival[], { model, report }: Reading): void {
  const [first] = attempts
  const isRedirected = model.deliveries.arrivals.some(
    ({ message, delivery: { status } }) => message === first?.message && status >= 300 && status < 400,
  )
  const message = 'A delivery went to the location of a redirect; expected the same URL again.'
  const cites = cited(model.contract.behaviour.deliveries)
  if (first && isRedirected) report.failed(first.delivery, cites, message, { ...AT, about: 'redirect' })
}

/** Findings about deliveries name the operation that registers webhooks. */
const AT = { operation: 'createWebhook' }
