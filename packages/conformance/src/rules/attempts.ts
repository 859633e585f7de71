import { behaviour, placeOf } from '../contract/behaviour.ts'
import { durationMs } from '../contract/json.ts'
import type { Arrival, KnownWebhook } from '../model/deliveries.ts'
import type { Model } from '../model.ts'
import type { Cites } from '../report/report.ts'
import { deliveryTimeoutMs, servedUntil, versionsBetween } from './deliveries.ts'
import { timeFault } from './events.ts'
import { cited, DELIVERY_OPERATION, type Rule } from './rule.ts'

const { deliveries, resources } = behaviour

const deliveriesRetried: Rule = {
  id: 'deliveries-retried',
  says: 'A delivery is retried until it gets a 2xx, with the same id and body, and a new timestamp and signature.',
  advice:
    'Retry on every other status by the schedule, and not at all for a webhook that was deleted.',
  settles: ['delivery/'],
  end(model, report) {
    const timeoutMs = deliveryTimeoutMs(model)
    for (const attempted of attemptedIn(model)) {
      const { first } = attempted
      const { url } = first.delivery
      const webhook = model.deliveries.webhookAt(url)
      const isElsewhere = model.deliveries.webhooksAt(url).length === 0
      const isKnown = webhook?.isSure === true

      let faults: readonly Fault[] = []
      if (isElsewhere) faults = redirectFaults(attempted)
      else if (isKnown) faults = faultsIn({ ...attempted, webhook, timeoutMs })

      for (const fault of faults) {
        const { arrival, cites = cited(deliveries), message, about } = fault
        report.failed(arrival.delivery, cites, message, { operation: DELIVERY_OPERATION, about })
      }

      if (isKnown)
        for (const { delivery } of rightIn(attempted)) report.passed(delivery, cited(deliveries))
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
  readonly model: Model
}

interface AttemptedFor extends Attempted {
  readonly webhook: KnownWebhook
  /** Milliseconds until a delivery must have arrived. */
  readonly timeoutMs: number
}

interface Fault {
  /** The arrival that shows it. */
  readonly arrival: Arrival
  readonly message: string
  readonly about: string
  readonly cites?: Cites
}

function attemptedIn(model: Model): Attempted[] {
  const { arrivals } = model.deliveries
  const byMessage = Map.groupBy(arrivals, ({ delivery, identity }) => `${delivery.url} ${identity}`)
  const found: Attempted[] = []
  for (const attempts of byMessage.values()) {
    const [first] = attempts
    if (first) found.push({ attempts, first, distinct: distinctOf(attempts, model), model })
  }
  return found
}

/** Milliseconds between attempts, since one may arrive more than once. */
const APART_MS = 2_500

function distinctOf(attempts: readonly Arrival[], model: Model): Arrival[] {
  const isTimeWrong = attempts.some((arrival) => timeFault(arrival, model) !== undefined)
  if (isTimeWrong) return []

  const distinct: Arrival[] = []
  for (const arrival of attempts) {
    const last = distinct.at(-1)
    if (!last || arrival.attemptedAt - last.attemptedAt > APART_MS) distinct.push(arrival)
  }
  return distinct
}

function isSuccess({ delivery: { status } }: Arrival): boolean {
  return status >= 200 && status < 300
}

/** What passes: a success that is the last attempt, and several attempts. */
function rightIn(attempted: Attempted): Arrival[] {
  const { attempts, distinct } = attempted
  const right: Arrival[] = []

  const success = attempts.find(isSuccess)
  if (success && !afterSuccess(attempted)) right.push(success)

  const lastRetry = distinct.slice(1).at(-1)
  if (lastRetry) right.push(lastRetry)

  return right
}

function faultsIn(attempted: AttemptedFor): Fault[] {
  const checks = [afterSuccess, early, late, tooMany, missing, sameTime, otherBody, afterEnd]
  return checks.flatMap((check) => check(attempted) ?? [])
}

function afterSuccess({ attempts }: Attempted): Fault | undefined {
  const success = attempts.find(isSuccess)
  if (!success) return undefined

  const arrival = attempts.find(
    ({ attemptedAt, at }) => attemptedAt - success.attemptedAt > APART_MS && at > success.at,
  )
  if (!arrival) return undefined

  const about = `again after ${success.delivery.status}`
  return {
    arrival,
    about,
    message: `A delivery was attempted ${about}; expected no further attempt.`,
  }
}

/** Milliseconds that a service waits before each retry. */
const WAITS_MS = deliveries.waits.map(durationMs)

/** What says how long a wait is. */
function waitCites(index: number): Cites {
  return { ...cited(deliveries), entry: `${placeOf(deliveries.waits)}/${index}` }
}

function early({ distinct, first }: Attempted): Fault | undefined {
  // While the clock of a sandbox moves, an arrival shows no exact time of its attempt.
  if (!first.isTimeShown) return undefined

  const arrival = distinct.find(({ attemptedAt }, index) => {
    const next = distinct[index + 1]
    const wait = WAITS_MS[index] ?? 0
    return next !== undefined && next.attemptedAt - attemptedAt < wait / 2
  })
  if (!arrival) return undefined

  return {
    arrival,
    about: 'early',
    cites: waitCites(distinct.indexOf(arrival)),
    message: 'A delivery was attempted again in less than half of the declared wait.',
  }
}

/** A retry that came long after it was due, although the service delivered other events before. */
function late({ distinct, webhook, model, timeoutMs }: AttemptedFor): Fault | undefined {
  const lateAttempt = distinct.find((attempt, index) => {
    const previous = distinct[index - 1]
    const wait = WAITS_MS[index - 1]
    if (!previous || wait === undefined) return false

    const overdue = model.serviceTimes.since(previous.attemptedAt + wait + OVERDUE_MS)
    const isLate = attempt.at > overdue + timeoutMs
    const isKept = versionsBetween(webhook, previous.at, attempt.at).length === 1
    return isLate && isKept && isServedBetween(overdue, attempt.at, model)
  })
  if (!lateAttempt) return undefined

  const number = distinct.indexOf(lateAttempt) + 1
  return {
    arrival: lateAttempt,
    about: `late ${number}`,
    cites: waitCites(number - 2),
    message: `Attempt ${number} of a delivery came late; expected it within ${deliveries.waits[number - 2]} after the one before.`,
  }
}

/** Whether a change between two machine times was delivered before the second one. */
function isServedBetween(from: number, to: number, { deliveries }: Model): boolean {
  const caused = deliveries.changes.filter(
    ({ exchange }) => exchange.sentAt >= from && exchange.sentAt < to,
  )
  const arrived = deliveries.arrivals.filter(({ at }) => at < to)
  return caused.some(({ id }) => arrived.some(({ delivery }) => delivery.text.includes(id)))
}

function tooMany({ distinct }: Attempted): Fault | undefined {
  const most = WAITS_MS.length + 1
  const last = distinct.at(-1)
  if (!last || distinct.length <= most) return undefined

  return {
    arrival: last,
    about: 'many',
    cites: { ...cited(deliveries), entry: placeOf(deliveries.waits) },
    message: `A delivery was attempted ${distinct.length} times; expected ${most} attempts at most.`,
  }
}

/** Milliseconds by which a retry may be late, by the clock of the service. */
const OVERDUE_MS = 7_000
/** The endpoint is gone: Standard Webhooks lets the sender disable it. */
const GONE = 410

/** The last attempt failed, and had to be followed by another one. */
function missing(attempted: AttemptedFor): Fault | undefined {
  const { attempts, distinct } = attempted
  const arrival = attempts.at(-1)
  const last = distinct.at(-1)
  const wait = WAITS_MS[distinct.length - 1]
  if (!arrival || !last || wait === undefined) return undefined

  const mayEnd = attempts.some(isSuccess) || last.delivery.status === GONE
  if (mayEnd || !isOverdue(arrival, wait, attempted)) return undefined

  const { status } = arrival.delivery
  const words = status === 0 ? 'a connection that breaks' : String(status)
  const within = deliveries.waits[distinct.length - 1]
  return {
    arrival,
    about: `after ${words} ${distinct.length}`,
    cites: waitCites(distinct.length - 1),
    message: `A delivery was not attempted again after ${words}; expected attempt ${distinct.length + 1} within ${within}.`,
  }
}

/** Whether the retry after an arrival had to come within this history, and would have been seen. */
function isOverdue(
  { at, attemptedAt }: Arrival,
  waitMs: number,
  { model, timeoutMs, webhook }: AttemptedFor,
): boolean {
  const { serviceTimes } = model
  // What arrived as late as that may be the retry itself.
  const isRetry = at > serviceTimes.since(attemptedAt + waitMs / 2)
  if (isRetry) return false

  const overdue = serviceTimes.since(attemptedAt + waitMs + OVERDUE_MS)
  const isKept = versionsBetween(webhook, at, overdue + timeoutMs).length === 1
  const isOver = model.deliveries.isWhole && overdue + timeoutMs <= model.deliveries.lastAt
  return isKept && isOver && servedUntil(model) >= overdue
}

/** A first attempt that failed is followed by one with another time. */
function sameTime({ attempts, first, model }: Attempted): Fault | undefined {
  if (!first.isTimeShown || isSuccess(first) || timeFault(first, model) !== undefined)
    return undefined

  const due = model.serviceTimes.since(first.attemptedAt + (WAITS_MS[0] ?? 0) / 2)
  const isRetried = attempts.some(({ at }) => at > due)
  const isAnew = attempts.some(({ attemptedAt }) => attemptedAt > first.attemptedAt)
  if (!isRetried || isAnew) return undefined

  return {
    arrival: first,
    about: 'time of the first',
    message: 'A later attempt has the time of the first; expected its own.',
    cites: cited(deliveries.signature),
  }
}

function otherBody({ attempts, first }: Attempted): Fault | undefined {
  const isOther = attempts.some(({ delivery }) => delivery.text !== first.delivery.text)
  if (!isOther) return undefined

  return {
    arrival: first,
    about: 'body',
    message: 'A later attempt has another body than the first; expected the same.',
  }
}

/** Milliseconds after a deletion or an update in which an attempt may have been on its way. */
const ON_ITS_WAY_MS = 2_000
/** The states in which a webhook receives nothing, not even another attempt, and what says so. */
const ENDS: Readonly<Record<string, Cites>> = {
  deleted: cited(resources.webhook.states.deleted),
  inactive: cited(deliveries.subscription.receives),
}

function afterEnd(attempted: AttemptedFor): Fault | undefined {
  const { attempts, first, webhook, model } = attempted
  const { versions } = webhook
  for (const [index, { state, by }] of versions.entries()) {
    const cites = ENDS[state]
    if (!cites || first.at >= by.sentAt) continue

    const next = versions[index + 1]
    const since = model.serviceTimes.at(by.completeAt) + ON_ITS_WAY_MS
    const until = next ? model.serviceTimes.at(next.by.sentAt) : Number.POSITIVE_INFINITY
    const arrival = attempts.find(({ attemptedAt }) => attemptedAt > since && attemptedAt < until)
    if (arrival)
      return {
        arrival,
        about: `after ${state === 'deleted' ? 'deletion' : state}`,
        message: `A delivery was attempted again after its webhook was ${state}; expected no further attempt.`,
        cites,
      }
  }
  return undefined
}

/** Deliveries to a URL of no webhook: where a redirect leads. */
function redirectFaults({ first, model }: Attempted): Fault[] {
  const isRedirected = model.deliveries.arrivals.some(
    ({ identity, delivery: { status } }) =>
      identity === first.identity && status >= 300 && status < 400,
  )
  if (!isRedirected) return []

  return [
    {
      arrival: first,
      about: 'redirect',
      message: 'A delivery went to the location of a redirect; expected the same URL again.',
    },
  ]
}

export const attemptRules = [deliveriesRetried]
