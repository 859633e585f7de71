import { behaviour, findEntryPointer } from '../contract/behaviour.ts'
import { durationMs } from '../contract/json.ts'
import { INACTIVE } from '../contract/words.ts'
import { MAX_COPY_GAP_MS } from '../model/arrivals.ts'
import type { Arrival, KnownWebhook } from '../model/deliveries.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Model } from '../model.ts'
import type { Cites, Report } from '../report/report.ts'
import { calculateTimeoutMs, findLastServedTime, findTimestampFault } from './delivery-times.ts'
import { cite, citeStatement, DELIVERY_OPERATION, type Rule } from './rule.ts'
import { isUnchangedBetween } from './subscriptions.ts'

const { deliveries, resources } = behaviour

const deliveriesRetried: Rule = {
  id: 'deliveries-retried',
  says: 'A delivery is retried until it gets a 2xx, with the same id and body, and a new timestamp and signature.',
  advice:
    'Retry on every other status by the schedule, and not at all for a webhook that was deleted.',
  settles: ['delivery/', 'delivery/attempts'],
  /**
   * Judges the attempts to deliver each message: a delivery that got no 2xx must come again after the declared
   * waits. It does so at the end of the history, since a missing retry can only be seen then.
   */
  end(model, report) {
    const timeoutMs = calculateTimeoutMs(model)
    for (const message of groupAttempts(model)) {
      const { url } = message.first.delivery
      const isOfNoWebhook = model.deliveries.listWebhooksAt(url).length === 0
      if (isOfNoWebhook) {
        // A receiver may have sent the service there by a redirect.
        reportFollowedRedirect(message, report)
        continue
      }

      // Undefined if several webhooks have the URL: nobody knows whose delivery it is.
      const webhook = model.deliveries.findWebhookAt(url)
      // With unknown settings, a webhook may be inactive, and needs no retry.
      if (!webhook?.areSettingsKnown) continue

      for (const fault of findFaults({ ...message, webhook, timeoutMs })) reportFault(fault, report)
      reportRightAttempts(message, report)
    }
  },
}

function reportFault(fault: AttemptFault, report: Report): void {
  const { arrival, message, about, cites = cite(deliveries) } = fault
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

/**
 * Groups all deliveries that arrived by their URL and their message, which all attempts name by one `webhook-id`: a
 * group has the attempts to deliver one message to one URL.
 */
function groupAttempts(model: Model): AttemptedMessage[] {
  const { arrivals } = model.deliveries
  const groups = Map.groupBy(arrivals, ({ delivery, identity }) => `${delivery.url} ${identity}`)

  const messages: AttemptedMessage[] = []
  for (const attempts of groups.values()) {
    const [first] = attempts
    const distinct = listDistinctAttempts(attempts, model)
    if (first) messages.push({ attempts, first, distinct, model })
  }
  return messages
}

/**
 * Lists the first arrival of each attempt, since one attempt may arrive twice: of arrivals that show the times
 * 0, 1 and 60 seconds, the first and the third. Empty if a shown time cannot be right.
 *
 * @param attempts The deliveries of one message that arrived, in their order.
 */
function listDistinctAttempts(attempts: readonly Arrival[], model: Model): Arrival[] {
  const isTimeWrong = attempts.some((arrival) => findTimestampFault(arrival, model) !== undefined)
  if (isTimeWrong) return []

  const distinct: Arrival[] = []
  for (const arrival of attempts) {
    const last = distinct.at(-1)
    const isCopy = last && measureGapMs(last, arrival) <= MAX_COPY_GAP_MS
    if (!isCopy) distinct.push(arrival)
  }
  return distinct
}

/** A delivery shows its time in whole seconds, in which 2.01 seconds look like two or three. */
const SHOWN_UNIT_MS = 1_000

/**
 * Measures the time between two attempts, by their arrivals. If the times that they show disagree with that, one of them
 * was held up on its way, and the shown times count.
 */
function measureGapMs(earlier: Arrival, later: Arrival): number {
  const shownMs = later.attemptedAt - earlier.attemptedAt
  const arrivedMs = later.at - earlier.at
  const doAgree = Math.abs(shownMs - arrivedMs) < SHOWN_UNIT_MS
  return doAgree ? arrivedMs : shownMs
}

function isSuccess({ delivery: { status } }: Arrival): boolean {
  return status >= 200 && status < 300
}

/**
 * Reports what was right with the attempts of one message: its success was the last attempt, it was retried at
 * all, and it was retried as often as declared.
 */
function reportRightAttempts(message: AttemptedMessage, report: Report): void {
  const success = message.attempts.find(isSuccess)
  const isRepeated = findAttemptAfterSuccess(message) !== undefined
  if (success && !isRepeated) report.passed(success.delivery, cite(deliveries))

  const [_first, ...retries] = message.distinct
  const lastRetry = retries.at(-1)
  if (!lastRetry) return
  report.passed(lastRetry.delivery, cite(deliveries))

  const areAllMade = retries.length === WAITS_MS.length
  if (areAllMade) report.passed(lastRetry.delivery, citeStatement(deliveries, 'attempts'))
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

  const arrival = attempts.find((attempt) => {
    // A delivery that shows nearly the same time is the same attempt, which arrived twice.
    const isOtherAttempt = measureGapMs(success, attempt) > MAX_COPY_GAP_MS
    return isOtherAttempt && attempt.at > success.at
  })
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

/** An attempt after the first one, and the wait that is declared before it. */
interface Retry {
  readonly attempt: Arrival
  readonly previous: Arrival
  /** 0 is the wait after the first attempt. */
  readonly waitIndex: number
  readonly waitMs: number
}

/**
 * Lists the retries with the attempts before them and the declared waits between: wait 0 is between attempts
 * 1 and 2. Retries after the last declared wait are left out; `findTooManyAttempts` counts them.
 */
function listRetries({ distinct }: AttemptedMessage): Retry[] {
  const retries: Retry[] = []
  for (const [waitIndex, waitMs] of WAITS_MS.entries()) {
    const previous = distinct[waitIndex]
    const attempt = distinct[waitIndex + 1]
    if (previous && attempt) retries.push({ attempt, previous, waitIndex, waitMs })
  }
  return retries
}

/** Finds a retry that came in less than half of the declared wait; undefined if there is none. */
function findEarlyAttempt(message: AttemptedMessage): AttemptFault | undefined {
  // While the clock of a sandbox moves, an arrival shows no exact time of its attempt.
  if (!message.first.isTimeShown) return undefined

  const early = listRetries(message).find(({ attempt, previous, waitMs }) => {
    return measureGapMs(previous, attempt) < waitMs / 2
  })
  if (!early) return undefined

  return {
    arrival: early.previous,
    about: 'early',
    cites: citeWait(early.waitIndex),
    message: 'A delivery was attempted again in less than half of the declared wait.',
  }
}

/** Finds a retry that came long after the declared wait; undefined if there is none. */
function findLateAttempt(message: WebhookMessage): AttemptFault | undefined {
  const late = listRetries(message).find((retry) => isCertainlyLate(retry, message))
  if (!late) return undefined

  const { attempt, waitIndex } = late
  // The first retry, after wait 0, is attempt 2.
  const number = waitIndex + 2
  return {
    arrival: attempt,
    about: `late ${number}`,
    cites: citeWait(waitIndex),
    message: `Attempt ${number} of a delivery came late; expected it within ${deliveries.waits[waitIndex]} after the one before.`,
  }
}

/**
 * Whether a retry came too late without an excuse. False if its webhook was changed meanwhile, or if the service
 * may have been too busy to deliver anything at all.
 */
function isCertainlyLate(retry: Retry, { webhook, model, timeoutMs }: WebhookMessage): boolean {
  const { attempt, previous, waitMs } = retry
  // By the clock of this machine, as all times of arrivals.
  const overdueAt = model.serviceTimes.toMachineTime(previous.attemptedAt + waitMs + OVERDUE_MS)
  // A delivery that was sent then may take that long to arrive.
  const latestArrivalAt = overdueAt + timeoutMs
  if (attempt.at <= latestArrivalAt) return false
  if (!isUnchangedBetween(webhook, previous.at, attempt.at)) return false

  // A service that delivered a later change first was not too busy for the retry.
  return wasChangeDeliveredBetween(overdueAt, attempt.at, model)
}

/**
 * Whether a request changed a record between two times, and a delivery that names this record arrived before the
 * second one. Both times are by the clock of this machine.
 */
function wasChangeDeliveredBetween(from: number, to: number, { deliveries }: Model): boolean {
  const arrivals = deliveries.arrivals.filter(({ at }) => at < to)
  for (const { id, exchange } of deliveries.changes) {
    const isBetween = exchange.sentAt >= from && exchange.sentAt < to
    if (isBetween && arrivals.some(({ delivery }) => delivery.text.includes(id))) return true
  }
  return false
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
 * Finds that the last attempt failed, and that the next one did not come when it was due. Undefined if a retry
 * was due no more, or not yet: after a success, a 410 or the last declared wait.
 */
function findMissingAttempt(message: WebhookMessage): AttemptFault | undefined {
  const { attempts, distinct } = message
  const lastArrival = attempts.at(-1)
  if (!lastArrival) return undefined
  if (attempts.some(isSuccess) || attempts.some(isGone)) return undefined

  const attemptsMade = distinct.length
  // After attempt 1 comes wait 0.
  const waitIndex = attemptsMade - 1
  const waitMs = WAITS_MS[waitIndex]
  const wasLastRetry = waitMs === undefined
  if (wasLastRetry || !isOverdue(lastArrival, waitMs, message)) return undefined

  const { status } = lastArrival.delivery
  const failure = status === 0 ? 'a connection that breaks' : String(status)
  return {
    arrival: lastArrival,
    about: `after ${failure} ${attemptsMade}`,
    cites: citeWait(waitIndex),
    message: `A delivery was not attempted again after ${failure}; expected attempt ${attemptsMade + 1} within ${deliveries.waits[waitIndex]}.`,
  }
}

function isGone({ delivery }: Arrival): boolean {
  return delivery.status === GONE
}

/**
 * Whether the retry after the last arrival of a message is certainly missing. After an attempt at 10:00:00 and a wait of
 * 5 minutes, it is overdue at 10:05:07. False if the history ends before it can have arrived, if the webhook was
 * changed, or if the service was too busy to deliver anything.
 */
function isOverdue(lastArrival: Arrival, waitMs: number, message: WebhookMessage): boolean {
  const { model, timeoutMs, webhook } = message
  const { serviceTimes } = model
  const { at: arrivedAt, attemptedAt } = lastArrival
  // An arrival long after the time that it shows may be the retry itself, with the time of an earlier attempt.
  const mayBeRetry = arrivedAt > serviceTimes.toMachineTime(attemptedAt + waitMs / 2)
  if (mayBeRetry) return false

  const overdueAt = serviceTimes.toMachineTime(attemptedAt + waitMs + OVERDUE_MS)
  // A delivery that was sent then may take that long to arrive.
  const deadline = overdueAt + timeoutMs
  if (!isRecordedUntil(deadline, model)) return false
  if (!isUnchangedBetween(webhook, arrivedAt, deadline)) return false

  // A service that is too busy delivers no later change either.
  return findLastServedTime(model) >= overdueAt
}

/** Whether the history has all deliveries that came until a time. */
function isRecordedUntil(time: number, { deliveries }: Model): boolean {
  return deliveries.isWhole && time <= deliveries.lastAt
}

/**
 * Finds that the retries of a failed first attempt show the time of the first one in `webhook-timestamp`, and
 * not their own; undefined if one shows a later time, or if none was made.
 */
function findRepeatedTime(message: AttemptedMessage): AttemptFault | undefined {
  const { attempts, first, model } = message
  const isTimeCertain = first.isTimeShown && findTimestampFault(first, model) === undefined
  if (!isTimeCertain) return undefined
  // After a success, there should be no retry.
  if (isSuccess(first)) return undefined

  const showsLaterTime = attempts.some(({ attemptedAt }) => attemptedAt > first.attemptedAt)
  if (showsLaterTime || !wasRetried(message)) return undefined

  return {
    arrival: first,
    about: 'time of the first',
    message: 'A later attempt has the time of the first; expected its own.',
    cites: cite(deliveries.signature),
  }
}

/** Whether a message certainly arrived more than once because it was retried. */
function wasRetried({ attempts, first, model }: AttemptedMessage): boolean {
  // What arrives before half of the first wait may be the first attempt again.
  const halfWaitMs = (WAITS_MS[0] ?? 0) / 2
  const retriesFrom = model.serviceTimes.toMachineTime(first.attemptedAt + halfWaitMs)
  return attempts.some(({ at }) => at > retriesFrom)
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
 * Finds a retry that was made after the webhook was deleted or became inactive, and before it was active
 * again; undefined if there is none. A version is the settings of a webhook from one write to the next.
 */
function findAttemptAfterEnd(message: WebhookMessage): AttemptFault | undefined {
  const { versions } = message.webhook
  for (const [index, { state, by: write }] of versions.entries()) {
    // Undefined for a state in which a webhook receives deliveries.
    const cites = CITES_BY_END_STATE[state]
    if (!cites) continue

    // If the first attempt came after the write, none of them is a retry from before it.
    const isFirstAttemptEarlier = message.first.at < write.sentAt
    if (!isFirstAttemptEarlier) continue

    const nextWrite = versions[index + 1]?.by
    const arrival = findAttemptBetween(write, nextWrite, message)
    if (!arrival) continue

    return {
      arrival,
      about: `after ${state === 'deleted' ? 'deletion' : state}`,
      message: `A delivery was attempted again after its webhook was ${state}; expected no further attempt.`,
      cites,
    }
  }
  return undefined
}

/** Finds an attempt that was certainly made after a write, and before the next one if there is one. */
function findAttemptBetween(
  write: Exchange,
  nextWrite: Exchange | undefined,
  { attempts, model }: AttemptedMessage,
): Arrival | undefined {
  const { serviceTimes } = model
  const since = serviceTimes.toServiceTime(write.completeAt) + ON_ITS_WAY_MS
  const until = nextWrite ? serviceTimes.toServiceTime(nextWrite.sentAt) : Number.POSITIVE_INFINITY
  return attempts.find(({ attemptedAt }) => attemptedAt > since && attemptedAt < until)
}

/** Reports a delivery to a URL of no webhook, if another attempt of its message got a redirect. */
function reportFollowedRedirect({ first, model }: AttemptedMessage, report: Report): void {
  const attempts = model.deliveries.arrivals.filter(({ identity }) => identity === first.identity)
  const isRedirected = attempts.some(({ delivery: { status } }) => status >= 300 && status < 400)
  if (!isRedirected) return

  const fault: AttemptFault = {
    arrival: first,
    about: 'redirect',
    message: 'A delivery went to the location of a redirect; expected the same URL again.',
  }
  reportFault(fault, report)
}

export const attemptRules = [deliveriesRetried]
