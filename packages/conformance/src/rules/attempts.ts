import { behaviour, findEntryPointer } from '../contract/behaviour.ts'
import { durationMs } from '../contract/json.ts'
import { INACTIVE } from '../contract/words.ts'
import type { Arrival, KnownWebhook } from '../model/deliveries.ts'
import type { Model } from '../model.ts'
import type { Cites, Report } from '../report/report.ts'
import { calculateTimeoutMs, findLastServedTime, findTimestampFault } from './delivery-times.ts'
import { cite, DELIVERY_OPERATION, type Rule } from './rule.ts'
import { isUnchangedBetween } from './subscriptions.ts'

const { deliveries, resources } = behaviour

const deliveriesRetried: Rule = {
  id: 'deliveries-retried',
  says: 'A delivery is retried until it gets a 2xx, with the same id and body, and a new timestamp and signature.',
  advice:
    'Retry on every other status by the schedule, and not at all for a webhook that was deleted.',
  settles: ['delivery/'],
  /**
   * Judges the attempts to deliver each message, one after the other, at the end of the history: a retry
   * that is missing can only be seen then.
   */
  end(model, report) {
    const timeoutMs = calculateTimeoutMs(model)
    for (const message of groupAttempts(model)) {
      const { url } = message.first.delivery
      const webhook = model.deliveries.findWebhookAt(url)
      const isOfNoWebhook = model.deliveries.listWebhooksAt(url).length === 0

      // A delivery to a URL of no webhook has followed a redirect.
      if (isOfNoWebhook) reportFaults(findFollowedRedirect(message), report)
      else if (webhook?.isSure) {
        reportFaults(findFaults({ ...message, webhook, timeoutMs }), report)
        for (const { delivery } of findRightAttempts(message))
          report.passed(delivery, cite(deliveries))
      }
    }
  },
}

function reportFaults(faults: readonly AttemptFault[], report: Report): void {
  for (const { arrival, cites = cite(deliveries), message, about } of faults)
    report.failed(arrival.delivery, cites, message, { operation: DELIVERY_OPERATION, about })
}

/** All attempts to deliver one message to one URL. */
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

/** The same, where the URL is that of a webhook. */
interface WebhookMessage extends AttemptedMessage {
  readonly webhook: KnownWebhook
  /** Milliseconds until a delivery must have arrived. */
  readonly timeoutMs: number
}

interface AttemptFault {
  /** The arrival that shows it. */
  readonly arrival: Arrival
  readonly message: string
  /** Names it in the id of the finding. */
  readonly about: string
  /** Default: what is declared of deliveries. */
  readonly cites?: Cites
}

/** Groups all deliveries that arrived by their message and their URL: a group has the attempts of one message. */
function groupAttempts(model: Model): AttemptedMessage[] {
  const { arrivals } = model.deliveries
  const groups = Map.groupBy(arrivals, ({ delivery, identity }) => `${delivery.url} ${identity}`)
  return [...groups.values()].flatMap((attempts) => {
    const [first] = attempts
    if (!first) return []
    return [{ attempts, first, distinct: listDistinctAttempts(attempts, model), model }]
  })
}

/** Milliseconds between attempts, since one may arrive more than once. */
const APART_MS = 2_500

/**
 * Lists the first arrival of each attempt, since one attempt may arrive twice. Attempts differ in the
 * times that they show; if one time cannot be right, none is listed.
 *
 * @param attempts The deliveries of one message that arrived, in their order.
 */
function listDistinctAttempts(attempts: readonly Arrival[], model: Model): Arrival[] {
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

/**
 * Lists the attempts that pass, as evidence of a message without faults: a success after which no
 * attempt followed, and the last of the retries.
 */
function findRightAttempts(message: AttemptedMessage): Arrival[] {
  const { attempts, distinct } = message
  const right: Arrival[] = []

  const success = attempts.find(isSuccess)
  if (success && !findAttemptAfterSuccess(message)) right.push(success)

  const lastRetry = distinct.slice(1).at(-1)
  if (lastRetry) right.push(lastRetry)

  return right
}

/** Lists what is wrong with the attempts to deliver one message to a webhook. Each check finds one fault at most. */
function findFaults(message: WebhookMessage): AttemptFault[] {
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
  return checks.flatMap((check) => check(message) ?? [])
}

/** Finds an attempt that was made although an earlier one got a 2xx; undefined if there is none. */
function findAttemptAfterSuccess({ attempts }: AttemptedMessage): AttemptFault | undefined {
  const success = attempts.find(isSuccess)
  if (!success) return undefined

  // A delivery that shows nearly the same time is the same attempt, which arrived twice.
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

/**
 * Cites what says how long a wait is.
 *
 * @param index 0 is the wait after the first attempt.
 */
function citeWait(index: number): Cites {
  return { ...cite(deliveries), entry: `${findEntryPointer(deliveries.waits)}/${index}` }
}

/**
 * Finds an attempt after which the next one came in less than half of the declared wait; undefined if
 * there is none.
 */
function findEarlyAttempt({ distinct, first }: AttemptedMessage): AttemptFault | undefined {
  // While the clock of a sandbox moves, an arrival shows no exact time of its attempt.
  if (!first.isTimeShown) return undefined

  const arrival = distinct.find(({ attemptedAt }, index) => {
    const next = distinct[index + 1]
    // After the last declared wait, no attempt is too early. Another check counts them.
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

/**
 * Finds a retry that came long after it was due, although the service delivered other events before;
 * undefined if there is none.
 */
function findLateAttempt(message: WebhookMessage): AttemptFault | undefined {
  const { distinct } = message
  const index = distinct.findIndex((_, place) => isLateAttempt(place, message))
  const arrival = distinct[index]
  if (!arrival) return undefined

  const number = index + 1
  const waitIndex = index - 1
  return {
    arrival,
    about: `late ${number}`,
    cites: citeWait(waitIndex),
    message: `Attempt ${number} of a delivery came late; expected it within ${deliveries.waits[waitIndex]} after the one before.`,
  }
}

/**
 * Whether a retry certainly came too late. It did not if its webhook was changed in between, or if the
 * service delivered nothing else either, as when it is busy.
 *
 * @param index The place of the attempt among the distinct ones. The first one is never late.
 */
function isLateAttempt(index: number, message: WebhookMessage): boolean {
  const { distinct, webhook, model, timeoutMs } = message
  const attempt = distinct[index]
  const previous = distinct[index - 1]
  const waitMs = WAITS_MS[index - 1]
  if (!attempt || !previous || waitMs === undefined) return false

  const overdueAt = model.serviceTimes.toMachineTime(previous.attemptedAt + waitMs + OVERDUE_MS)
  const isLate = attempt.at > overdueAt + timeoutMs
  const isUnchanged = isUnchangedBetween(webhook, previous.at, attempt.at)
  return isLate && isUnchanged && wasChangeDeliveredBetween(overdueAt, attempt.at, model)
}

/** Whether a change between two machine times was delivered before the second one. */
function wasChangeDeliveredBetween(from: number, to: number, { deliveries }: Model): boolean {
  const caused = deliveries.changes.filter(
    ({ exchange }) => exchange.sentAt >= from && exchange.sentAt < to,
  )
  const arrived = deliveries.arrivals.filter(({ at }) => at < to)
  return caused.some(({ id }) => arrived.some(({ delivery }) => delivery.text.includes(id)))
}

/** Finds that a message was attempted more often than the declared waits allow; undefined if it was not. */
function findTooManyAttempts({ distinct }: AttemptedMessage): AttemptFault | undefined {
  // A wait stands between two attempts.
  const maxAttempts = WAITS_MS.length + 1
  const last = distinct.at(-1)
  if (!last || distinct.length <= maxAttempts) return undefined

  return {
    arrival: last,
    about: 'many',
    cites: { ...cite(deliveries), entry: findEntryPointer(deliveries.waits) },
    message: `A delivery was attempted ${distinct.length} times; expected ${maxAttempts} attempts at most.`,
  }
}

/** Milliseconds by which a retry may be late, by the clock of the service. */
const OVERDUE_MS = 7_000
/** The endpoint is gone: Standard Webhooks lets the sender disable it. */
const GONE = 410

/**
 * Finds that the last attempt failed, and was not followed by another one when that was due. Undefined
 * after a success, a 410 or the last declared retry.
 */
function findMissingAttempt(message: WebhookMessage): AttemptFault | undefined {
  const { attempts, distinct } = message
  const attemptsMade = distinct.length
  const lastArrival = attempts.at(-1)
  const lastAttempt = distinct.at(-1)
  const waitMs = WAITS_MS[attemptsMade - 1]
  if (!lastArrival || !lastAttempt || waitMs === undefined) return undefined

  const mayEnd = attempts.some(isSuccess) || lastAttempt.delivery.status === GONE
  if (mayEnd || !isOverdue(lastArrival, waitMs, message)) return undefined

  const { status } = lastArrival.delivery
  const failure = status === 0 ? 'a connection that breaks' : String(status)
  const within = deliveries.waits[attemptsMade - 1]
  return {
    arrival: lastArrival,
    about: `after ${failure} ${attemptsMade}`,
    cites: citeWait(attemptsMade - 1),
    message: `A delivery was not attempted again after ${failure}; expected attempt ${attemptsMade + 1} within ${within}.`,
  }
}

/**
 * Whether the retry after an arrival is certainly missing: it was due before the history ended, its
 * webhook was not changed in between, and the service delivered other events after it was due.
 */
function isOverdue(
  { at, attemptedAt }: Arrival,
  waitMs: number,
  { model, timeoutMs, webhook }: WebhookMessage,
): boolean {
  const { serviceTimes } = model
  // A delivery that arrived long after the time that it shows may be the retry itself.
  const isRetry = at > serviceTimes.toMachineTime(attemptedAt + waitMs / 2)
  if (isRetry) return false

  const overdueAt = serviceTimes.toMachineTime(attemptedAt + waitMs + OVERDUE_MS)
  const until = overdueAt + timeoutMs
  const isUnchanged = isUnchangedBetween(webhook, at, until)
  const wasSeen = model.deliveries.isWhole && until <= model.deliveries.lastAt
  return isUnchanged && wasSeen && findLastServedTime(model) >= overdueAt
}

/**
 * Finds that the retries of a failed first attempt show the time of the first one instead of their own;
 * undefined if they do not, or were not made.
 */
function findRepeatedTime({ attempts, first, model }: AttemptedMessage): AttemptFault | undefined {
  const isTimeCertain = first.isTimeShown && findTimestampFault(first, model) === undefined
  if (!isTimeCertain || isSuccess(first)) return undefined

  // `at` is when an attempt arrived, by the clock of this machine; `attemptedAt` is the time that it shows,
  // by that of the service. What arrives before half of the first wait may be the first attempt again.
  const halfWaitMs = (WAITS_MS[0] ?? 0) / 2
  const retriesFrom = model.serviceTimes.toMachineTime(first.attemptedAt + halfWaitMs)
  const isRetried = attempts.some(({ at }) => at > retriesFrom)
  const hasLaterTime = attempts.some(({ attemptedAt }) => attemptedAt > first.attemptedAt)
  if (!isRetried || hasLaterTime) return undefined

  return {
    arrival: first,
    about: 'time of the first',
    message: 'A later attempt has the time of the first; expected its own.',
    cites: cite(deliveries.signature),
  }
}

/** Finds that a later attempt has another body than the first one; undefined if all are the same. */
function findOtherBody({ attempts, first }: AttemptedMessage): AttemptFault | undefined {
  const hasOtherBody = attempts.some(({ delivery }) => delivery.text !== first.delivery.text)
  if (!hasOtherBody) return undefined

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
  [INACTIVE]: cite(deliveries.subscription.receives),
}

/**
 * Finds an attempt that was made after the webhook was deleted or became inactive, and before it was
 * active again. Undefined if there is none. A version is the settings of a webhook from a write on.
 */
function findAttemptAfterEnd(message: WebhookMessage): AttemptFault | undefined {
  const { attempts, first, webhook, model } = message
  const { versions } = webhook
  for (const [index, { state, by }] of versions.entries()) {
    const cites = CITES_BY_END_STATE[state]
    if (!cites || first.at >= by.sentAt) continue

    const next = versions[index + 1]
    const since = model.serviceTimes.toServiceTime(by.completeAt) + ON_ITS_WAY_MS
    const until = next ? model.serviceTimes.toServiceTime(next.by.sentAt) : Number.POSITIVE_INFINITY
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

/**
 * Finds that a delivery to a URL of no webhook has followed a redirect: another attempt of the same
 * message got a 3xx. Returns this fault, or an empty list.
 */
function findFollowedRedirect({ first, model }: AttemptedMessage): AttemptFault[] {
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
