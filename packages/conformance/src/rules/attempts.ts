import { behaviour } from '../contract/behaviour.ts'
import { durationMs } from '../contract/json.ts'
import type { Arrival, KnownWebhook } from '../model/deliveries.ts'
import type { Model } from '../model.ts'
import type { Cites } from '../report/report.ts'
import { AT, deliveryPatience, servedUntil, versionsBetween } from './deliveries.ts'
import { timeFault } from './events.ts'
import { cited, type Rule } from './rule.ts'

const { deliveries, resources } = behaviour

const deliveriesRetried: Rule = {
  id: 'deliveries-retried',
  says: 'A delivery is retried until it gets a 2xx, with the same id and body, and a new timestamp and signature.',
  advice:
    'Retry on every other status by the schedule, and not at all for a webhook that was deleted.',
  settles: ['delivery/'],
  end(model, report) {
    const patience = deliveryPatience(model)
    const { arrivals } = model.deliveries
    const messages = Map.groupBy(arrivals, ({ delivery, message }) => `${delivery.url} ${message}`)
    for (const attempts of messages.values()) {
      const [first] = attempts as [Arrival]
      const { url } = first.delivery
      const webhook = model.deliveries.webhookAt(url)
      const isElsewhere = model.deliveries.webhooksAt(url).length === 0
      const it = { attempts, first, distinct: distinct(attempts, model), webhook, patience, model }
      const isKnown = webhook?.isSure && first.message !== undefined
      const faults = isElsewhere ? [redirected(it)] : isKnown ? faultsIn({ ...it, webhook }) : []
      for (const fault of faults.filter((it) => it !== undefined)) {
        const { of, cites = cited(deliveries), message, about } = fault
        report.failed(of.delivery, cites, message, { ...AT, about })
      }
      for (const of of isKnown ? rightIn(it) : []) report.passed(of.delivery, cited(deliveries))
    }
  },
}

interface Attempted {
  /** All arrivals with one id at one URL. */
  readonly attempts: readonly Arrival[]
  readonly first: Arrival
  /**
   * The first arrival of each attempt, by the time that it shows; none if a time cannot be right.
   */
  readonly distinct: readonly Arrival[]
  readonly webhook: KnownWebhook
  readonly patience: number
  readonly model: Model
}

interface Fault {
  readonly of: Arrival
  readonly message: string
  readonly about: string
  readonly cites?: Cites
}

/** Milliseconds between attempts, since one may arrive more than once. */
const APART = 2_500

function distinct(attempts: readonly Arrival[], model: Model): Arrival[] {
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
function rightIn(it: Pick<Attempted, 'attempts' | 'distinct'>): Arrival[] {
  const success = afterSuccess(it) ? undefined : it.attempts.find(isSuccess)
  return [...(success ? [success] : []), ...it.distinct.slice(1).slice(-1)]
}

function faultsIn(it: Attempted): (Fault | undefined)[] {
  const checks = [afterSuccess, early, tooMany, missing, sameTime, otherBody, afterEnd]
  return checks.map((check) => check(it))
}

function afterSuccess({ attempts }: Pick<Attempted, 'attempts'>): Fault | undefined {
  const success = attempts.find(isSuccess)
  const of = attempts.find(
    (it) => success && it.attemptedAt - success.attemptedAt > APART && it.at > success.at,
  )
  const about = `again after ${success?.delivery.status}`
  return (
    of && { of, about, message: `A delivery was attempted ${about}; expected no further attempt.` }
  )
}

const WAITS = deliveries.waits.map(durationMs)

function early({ distinct }: Attempted): Fault | undefined {
  const of = distinct.find(
    (it, i) => (distinct[i + 1]?.attemptedAt ?? Number.NaN) - it.attemptedAt < (WAITS[i] ?? 0) / 2,
  )
  const message = 'A delivery was attempted again in less than half of the declared wait.'
  return of && { of, about: 'early', message }
}

function tooMany({ distinct }: Attempted): Fault | undefined {
  const most = WAITS.length + 1
  const message = `A delivery was attempted ${distinct.length} times; expected ${most} attempts at most.`
  const of = distinct.length > most ? distinct.at(-1) : undefined
  return of && { of, about: 'many', message }
}

/** Milliseconds by which a retry may be late, by the clock of the service. */
const OVERDUE = 7_000
/** The endpoint is gone: Standard Webhooks lets the sender disable it. */
const GONE = 410

/** The last attempt failed, and had to be followed by another one. */
function missing({ attempts, distinct, webhook, patience, model }: Attempted): Fault | undefined {
  const [of, last] = [attempts.at(-1), distinct.at(-1)]
  const wait = WAITS[distinct.length - 1]
  if (
    !of ||
    !last ||
    wait === undefined ||
    attempts.some(isSuccess) ||
    last.delivery.status === GONE
  )
    return undefined
  const { serviceTimes } = model
  const overdue = serviceTimes.since(of.attemptedAt + wait + OVERDUE)
  const isKept = versionsBetween(webhook, of.at, overdue + patience).length === 1
  const isLater = of.at > serviceTimes.since(of.attemptedAt + wait / 2)
  const isOver = model.deliveries.isWhole && overdue + patience <= model.deliveries.lastAt
  if (isLater || !isKept || !isOver || servedUntil(model) < overdue) return undefined
  const { status } = of.delivery
  const words = status === 0 ? 'a connection that breaks' : `${status}`
  const within = deliveries.waits[distinct.length - 1]
  const message = `A delivery was not attempted again after ${words}; expected attempt ${distinct.length + 1} within ${within}.`
  return { of, about: `after ${words} ${distinct.length}`, message }
}

/** A first attempt that failed is followed by one with another time. */
function sameTime({ attempts, first, model }: Attempted): Fault | undefined {
  if (isSuccess(first) || timeFault(first, model) !== undefined) return undefined
  const due = model.serviceTimes.since(first.attemptedAt + (WAITS[0] ?? 0) / 2)
  const isRetried = attempts.some(({ at }) => at > due)
  const isAnew = attempts.some(({ attemptedAt }) => attemptedAt > first.attemptedAt)
  const message = 'A later attempt has the time of the first; expected its own.'
  const cites = cited(deliveries.signature)
  return isRetried && !isAnew
    ? { of: first, about: 'time of the first', message, cites }
    : undefined
}

function otherBody({ attempts, first }: Attempted): Fault | undefined {
  const isOther = attempts.some(({ delivery }) => delivery.text !== first.delivery.text)
  const message = 'A later attempt has another body than the first; expected the same.'
  return isOther ? { of: first, about: 'body', message } : undefined
}

/** Milliseconds after a deletion or an update in which an attempt may have been on its way. */
const ON_ITS_WAY = 2_000
/** The states in which a webhook receives nothing, not even another attempt, and what says so. */
const ENDS: Readonly<Record<string, Cites>> = {
  deleted: cited(resources.webhook.states.deleted),
  inactive: cited(deliveries.subscription.receives),
}

function afterEnd({ attempts, first, webhook: { versions }, model }: Attempted): Fault | undefined {
  for (const [i, { state, by }] of versions.entries()) {
    const [cites, next] = [ENDS[state], versions[i + 1]]
    if (!cites || first.at >= by.sentAt) continue
    const since = model.serviceTimes.at(by.completeAt) + ON_ITS_WAY
    const until = next ? model.serviceTimes.at(next.by.sentAt) : Number.POSITIVE_INFINITY
    const of = attempts.find(({ attemptedAt }) => attemptedAt > since && attemptedAt < until)
    const message = `A delivery was attempted again after its webhook was ${state}; expected no further attempt.`
    if (of)
      return { of, about: `after ${state === 'deleted' ? 'deletion' : state}`, message, cites }
  }
  return undefined
}

/** Deliveries to a URL of no webhook: where a redirect leads. */
function redirected({ first, model }: Pick<Attempted, 'first' | 'model'>): Fault | undefined {
  const isRedirected = model.deliveries.arrivals.some(
    ({ message, delivery: { status } }) =>
      message === first.message && status >= 300 && status < 400,
  )
  const message = 'A delivery went to the location of a redirect; expected the same URL again.'
  return isRedirected ? { of: first, about: 'redirect', message } : undefined
}

export const attemptRules = [deliveriesRetried]
