import { behaviour, findEntryPointer } from '../contract/behaviour.ts'
import { durationMs } from '../contract/json.ts'
import type { Arrival, KnownWebhook } from '../model/deliveries.ts'
import type { Model } from '../model.ts'
import type { Cites } from '../report/report.ts'
import { calculateTimeoutMs, findTimestampFault, lastServedAt } from './delivery-times.ts'
import { cite, DELIVERY_OPERATION, type Rule } from './rule.ts'
import { findVersionsBetween } from './subscriptions.ts'

const { deliveries, resources } = behaviour

const deliveriesRetried: Rule = {
  id: 'deliveries-retried',
  says: 'A delivery is retried until it gets a 2xx, with the same id and body, and a new timestamp and signature.',
  advice:
    'Retry on every other status by the schedule, and not at all for a webhook that was deleted.',
  settles: ['delivery/'],
  end(model, report) {
    const timeoutMs = calculateTimeoutMs(model)
    for (const attempted of groupAttempts(model)) {
      const { first } = attempted
      const { url } = first.delivery
      const webhook = model.deliveries.webhookAt(url)
      const isElsewhere = model.deliveries.webhooksAt(url).length === 0
      const isKnown = webhook?.isSure === true

      let faults: readonly AttemptFault[] = []
      if (isElsewhere) faults = findRedirect(attempted)
      else if (isKnown) faults = findFaults({ ...attempted, webhook, timeoutMs })

      for (const fault of faults) {
        const { arrival, cites = cite(deliveries), message, about } = fault
        report.failed(arrival.delivery, cites, message, { operation: DELIVERY_OPERATION, about })
      }

      if (isKnown)
        for (const { delivery } of findRightAttempts(attempted))
          report.passed(delivery, cite(deliveries))
    }
  },
}

interface AttemptedMessage {
  /** All arrivals with one id at one URL. */
  readonly attempts: readonly Arrival[]
  readonly first: Arrival
  /**
   * The first arrival of each attempt, by the time that it shows; none if a time cannot be right.
   */
  readonly distinct: readonly Arrival[]
  readonly model: Model
}

interface WebhookMessage extends AttemptedMessage {
  readonly webhook: KnownWebhook
  /** Milliseconds until a delivery must have arrived. */
  readonly timeoutMs: number
}

interface AttemptFault {
  /** The arrival that shows it. */
  readonly arrival: Arrival
  readonly message: string
  readonly about: string
  readonly cites?: Cites
}

function groupAttempts(model: Model): AttemptedMessage[] {
  const { arrivals } = model.deliveries
  const byMessage = Map.groupBy(arrivals, ({ delivery, identity }) => `${delivery.url} ${identity}`)
  const found: AttemptedMessage[] = []
  for (const attempts of byMessage.values()) {
    const [first] = attempts
    if (first)
      found.push({ attempts, first, distinct: findDistinctAttempts(attempts, model), model })
  }
  return found
}

/** Milliseconds between attempts, since one may arrive more than once. */
const APART_MS = 2_500

function findDistinctAttempts(attempts: readonly Arrival[], model: Model): Arrival[] {
  const isTimeWrong = attempts.some((arrival) => findTimestampFault(arrival, model) !== undefined)
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
function findRightAttempts(attempted: AttemptedMessage): Arrival[] {
  const { attempts, distinct } = attempted
  const right: Arrival[] = []

  const success = attempts.find(isSuccess)
  if (success && !findAttemptAfterSuccess(attempted)) right.push(success)

  const lastRetry = distinct.slice(1).at(-1)
  if (lastRetry) right.push(lastRetry)

  return right
}

function findFaults(attempted: WebhookMessage): AttemptFault[] {
  const checks = [
    findAttemptAfterSuccess,
    findEarlyAttempt,
    findLateAttempt,
    findTooManyAttempts,
    findMissingAttempt,
    findRepeatedTime,
    findOtherBody,
    findAttemptAfterEnd,
  ]
  return checks.flatMap((check) => check(attempted) ?? [])
}

function findAttemptAfterSuccess({ attempts }: AttemptedMessage): AttemptFault | undefined {
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
function citeWait(index: number): Cites {
  return { ...cite(deliveries), entry: `${findEntryPointer(deliveries.waits)}/${index}` }
}

function findEarlyAttempt({ distinct, first }: AttemptedMessage): AttemptFault | undefined {
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
    cites: citeWait(distinct.indexOf(arrival)),
    message: 'A delivery was attempted again in less than half of the declared wait.',
  }
}

/** A retry that came long after it was due, although the service delivered other events before. */
function findLateAttempt({
  distinct,
  webhook,
  model,
  timeoutMs,
}: WebhookMessage): AttemptFault | undefined {
  const lateAttempt = distinct.find((attempt, index) => {
    const previous = distinct[index - 1]
    const wait = WAITS_MS[index - 1]
    if (!previous || wait === undefined) return false

    const overdue = model.serviceTimes.since(previous.attemptedAt + wait + OVERDUE_MS)
    const isLate = attempt.at > overdue + timeoutMs
    const isKept = findVersionsBetween(webhook, previous.at, attempt.at).length === 1
    return isLate && isKept && wasChangeDeliveredBetween(overdue, attempt.at, model)
  })
  if (!lateAttempt) return undefined

  const number = distinct.indexOf(lateAttempt) + 1
  return {
    arrival: lateAttempt,
    about: `late ${number}`,
    cites: citeWait(number - 2),
    message: `Attempt ${number} of a delivery came late; expected it within ${deliveries.waits[number - 2]} after the one before.`,
  }
}

/** Whether a change between two machine times was delivered before the second one. */
function wasChangeDeliveredBetween(from: number, to: number, { deliveries }: Model): boolean {
  const caused = deliveries.changes.filter(
    ({ exchange }) => exchange.sentAt >= from && exchange.sentAt < to,
  )
  const arrived = deliveries.arrivals.filter(({ at }) => at < to)
  return caused.some(({ id }) => arrived.some(({ delivery }) => delivery.text.includes(id)))
}

function findTooManyAttempts({ distinct }: AttemptedMessage): AttemptFault | undefined {
  const most = WAITS_MS.length + 1
  const last = distinct.at(-1)
  if (!last || distinct.length <= most) return undefined

  return {
    arrival: last,
    about: 'many',
    cites: { ...cite(deliveries), entry: findEntryPointer(deliveries.waits) },
    message: `A delivery was attempted ${distinct.length} times; expected ${most} attempts at most.`,
  }
}

/** Milliseconds by which a retry may be late, by the clock of the service. */
const OVERDUE_MS = 7_000
/** The endpoint is gone: Standard Webhooks lets the sender disable it. */
const GONE = 410

/** The last attempt failed, and had to be followed by another one. */
function findMissingAttempt(attempted: WebhookMessage): AttemptFault | undefined {
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
    cites: citeWait(distinct.length - 1),
    message: `A delivery was not attempted again after ${words}; expected attempt ${distinct.length + 1} within ${within}.`,
  }
}

/** Whether the retry after an arrival had to come within this history, and would have been seen. */
function isOverdue(
  { at, attemptedAt }: Arrival,
  waitMs: number,
  { model, timeoutMs, webhook }: WebhookMessage,
): boolean {
  const { serviceTimes } = model
  // What arrived as late as that may be the retry itself.
  const isRetry = at > serviceTimes.since(attemptedAt + waitMs / 2)
  if (isRetry) return false

  const overdue = serviceTimes.since(attemptedAt + waitMs + OVERDUE_MS)
  const isKept = findVersionsBetween(webhook, at, overdue + timeoutMs).length === 1
  const isOver = model.deliveries.isWhole && overdue + timeoutMs <= model.deliveries.lastAt
  return isKept && isOver && lastServedAt(model) >= overdue
}

/** A first attempt that failed is followed by one with another time. */
function findRepeatedTime({ attempts, first, model }: AttemptedMessage): AttemptFault | undefined {
  if (!first.isTimeShown || isSuccess(first) || findTimestampFault(first, model) !== undefined)
    return undefined

  const due = model.serviceTimes.since(first.attemptedAt + (WAITS_MS[0] ?? 0) / 2)
  const isRetried = attempts.some(({ at }) => at > due)
  const isAnew = attempts.some(({ attemptedAt }) => attemptedAt > first.attemptedAt)
  if (!isRetried || isAnew) return undefined

  return {
    arrival: first,
    about: 'time of the first',
    message: 'A later attempt has the time of the first; expected its own.',
    cites: cite(deliveries.signature),
  }
}

function findOtherBody({ attempts, first }: AttemptedMessage): AttemptFault | undefined {
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
const CITES_BY_END_STATE: Readonly<Record<string, Cites>> = {
  deleted: cite(resources.webhook.states.deleted),
  inactive: cite(deliveries.subscription.receives),
}

function findAttemptAfterEnd(attempted: WebhookMessage): AttemptFault | undefined {
  const { attempts, first, webhook, model } = attempted
  const { versions } = webhook
  for (const [index, { state, by }] of versions.entries()) {
    const cites = CITES_BY_END_STATE[state]
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
function findRedirect({ first, model }: AttemptedMessage): AttemptFault[] {
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
