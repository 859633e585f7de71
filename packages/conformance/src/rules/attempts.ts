import { durationMs } from '../contract/json.ts'
import type { Arrival, KnownWebhook } from '../model/deliveries.ts'
import type { Model } from '../model.ts'
import type { Cites } from '../report/report.ts'
import { AT, deliveryPatience, isServingAfter, versionsBetween } from './deliveries.ts'
import { timeFault } from './events.ts'
import { cited, type Rule } from './rule.ts'

const deliveriesRetried: Rule = {
  id: 'deliveries-retried',
  says: 'A delivery is retried until it gets a 2xx, with the same id and body, and a new timestamp and signature.',
  advice: 'Retry on every other status by the schedule, and not at all for a webhook that was deleted.',
  settles: ['delivery/'],
  end(model, report) {
    const { deliveries } = model
    const declared = cited(model.contract.behaviour.deliveries)
    const patience = deliveryPatience(model)
    const messages = Map.groupBy(deliveries.arrivals, ({ delivery, message }) => `${delivery.url} ${message}`)
    for (const attempts of messages.values()) {
      const [first] = attempts as [Arrival]
      const webhook = deliveries.webhookAt(first.delivery.url)
      const it = { attempts, first, patience, model }
      const isElsewhere = deliveries.webhooksAt(first.delivery.url).length === 0
      const isKnown = webhook?.isSure && first.message !== undefined
      const faults = isElsewhere ? [redirected(it)] : isKnown ? faultsIn({ ...it, webhook }) : []
      for (const fault of faults.filter((it) => it !== undefined)) {
        const { of, cites = declared, message, about } = fault
        report.failed(of.delivery, cites, message, { ...AT, about })
      }
      for (const of of isKnown ? rightIn(it) : []) report.passed(of.delivery, declared)
    }
  },
}

interface Attempted {
  /** All arrivals with one id at one URL. */
  readonly attempts: readonly Arrival[]
  readonly first: Arrival
  readonly patience: number
  readonly model: Model
}

interface Case extends Attempted {
  readonly webhook: KnownWebhook
}

interface Fault {
  readonly of: Arrival
  readonly message: string
  readonly about: string
  readonly cites?: Cites
}

/** Milliseconds between attempts, since one may arrive more than once. */
const APART = 2_500

/** The first arrival of each attempt, by the time that it shows; none if a time cannot be right. */
function distinct({ attempts, model }: Attempted): Arrival[] {
  const found: Arrival[] = []
  if (attempts.some((it) => timeFault(it, model) !== undefined)) return found
  for (const it of attempts) {
    const last = found.at(-1)
    if (!last || it.attemptedAt - last.attemptedAt > APART) found.push(it)
  }
  return found
}

function isSuccess({ delivery: { status } }: Arrival): boolean {
  return status >= 200 && status < 300
}

/** What passes: a success that is the last attempt, and several attempts. */
function rightIn(it: Attempted): Arrival[] {
  const success = afterSuccess(it) ? undefined : it.attempts.find(isSuccess)
  return [...(success ? [success] : []), ...distinct(it).slice(1).slice(-1)]
}

function faultsIn(it: Case): (Fault | undefined)[] {
  return [
    afterSuccess(it),
    early(it),
    tooMany(it),
    missing(it),
    sameTime(it),
    otherBody(it),
    afterDeletion(it),
  ]
}

function afterSuccess({ attempts }: Attempted): Fault | undefined {
  const success = attempts.find(isSuccess)
  const of = attempts.find(
    (it) => success && it.attemptedAt - success.attemptedAt > APART && it.at > success.at,
  )
  const about = `again after ${success?.delivery.status}`
  return of && { of, about, message: `A delivery was attempted ${about}; expected no further attempt.` }
}

function waitsOf({ contract }: Model): number[] {
  return (contract.behaviour.deliveries?.waits ?? []).map(durationMs)
}

function early(it: Case): Fault | undefined {
  const all = distinct(it)
  const waits = waitsOf(it.model)
  const of = all.find(
    (it, i) => (all[i + 1]?.attemptedAt ?? Number.NaN) - it.attemptedAt < (waits[i] ?? 0) / 2,
  )
  const message = 'A delivery was attempted again in less than half of the declared wait.'
  return of && { of, about: 'early', message }
}

function tooMany(it: Case): Fault | undefined {
  const all = distinct(it)
  const most = waitsOf(it.model).length + 1
  const message = `A delivery was attempted ${all.length} times; expected ${most} attempts at most.`
  const [of] = all.length > most ? all.slice(-1) : []
  return of && { of, about: 'many', message }
}

/** Milliseconds by which a retry may be late, by the clock of the service. */
const OVERDUE = 7_000
/** The endpoint is gone: Standard Webhooks lets the sender disable it. */
const GONE = 410

/** The last attempt failed, and had to be followed by another one. */
function missing(it: Case): Fault | undefined {
  const { attempts, webhook, patience, model } = it
  const all = distinct(it)
  const [of, last] = [...attempts.slice(-1), ...all.slice(-1)]
  const wait = waitsOf(model)[all.length - 1]
  if (!of || !last || wait === undefined || attempts.some(isSuccess) || last.delivery.status === GONE)
    return undefined
  const { deliveries, serviceTimes } = model
  const overdue = serviceTimes.since(of.attemptedAt + wait + OVERDUE)
  const isKept = versionsBetween(webhook, of.at, overdue + patience).length === 1
  const isLater = of.at > serviceTimes.since(of.attemptedAt + wait / 2)
  if (isLater || !isKept || !deliveries.isWhole || overdue + patience > deliveries.lastAt) return undefined
  const { status } = of.delivery
  const words = status === 0 ? 'a connection that breaks' : `${status}`
  const within = model.contract.behaviour.deliveries?.waits[all.length - 1]
  const message = `A delivery was not attempted again after ${words}; expected attempt ${all.length + 1} within ${within}.`
  return isServingAfter(overdue, model) ? { of, about: `after ${words} ${all.length}`, message } : undefined
}

/** A first attempt that failed is followed by one with another time. */
function sameTime({ attempts, first, model }: Case): Fault | undefined {
  if (isSuccess(first) || timeFault(first, model) !== undefined) return undefined
  const due = model.serviceTimes.since(first.attemptedAt + (waitsOf(model)[0] ?? 0) / 2)
  const isRetried = attempts.some(({ at }) => at > due)
  const isAnew = attempts.some(({ attemptedAt }) => attemptedAt > first.attemptedAt)
  const message = 'A later attempt has the time of the first; expected its own.'
  const cites = cited(model.contract.behaviour.deliveries?.signature)
  return isRetried && !isAnew ? { of: first, about: 'time of the first', message, cites } : undefined
}

function otherBody({ attempts, first }: Case): Fault | undefined {
  const isOther = attempts.some(({ delivery }) => delivery.text !== first.delivery.text)
  const message = 'A later attempt has another body than the first; expected the same.'
  return isOther ? { of: first, about: 'body', message } : undefined
}

/** Milliseconds after a deletion in which an attempt may have been on its way. */
const ON_ITS_WAY = 2_000

function afterDeletion({ attempts, first, webhook, model }: Case): Fault | undefined {
  const deleted = webhook.versions.find(({ state }) => state === 'deleted')
  if (!deleted || first.at >= deleted.by.sentAt) return undefined
  const since = model.serviceTimes.at(deleted.by.completeAt) + ON_ITS_WAY
  const of = attempts.find(({ attemptedAt }) => attemptedAt > since)
  const cites = cited(model.contract.behaviour.resources?.webhook?.states?.deleted)
  const message = 'A delivery was attempted again after its webhook was deleted; expected no further attempt.'
  return of && { of, about: 'after deletion', message, cites }
}

/** Deliveries to a URL of no webhook: where a redirect leads. */
function redirected({ first, model }: Attempted): Fault | undefined {
  const isRedirected = model.deliveries.arrivals.some(
    ({ message, delivery: { status } }) => message === first.message && status >= 300 && status < 400,
  )
  const message = 'A delivery went to the location of a redirect; expected the same URL again.'
  return isRedirected ? { of: first, about: 'redirect', message } : undefined
}

export const attemptRules = [deliveriesRetried]
