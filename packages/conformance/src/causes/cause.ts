import { dayAt } from '../model/amounts.ts'
import type { Exchange } from '../model/exchange.ts'
import { hasCertainTime } from '../model/unknown.ts'
import type { Model } from '../model.ts'

/**
 * A declared reason to refuse a request, and whether the history establishes that it applies. Such as
 * `{ code: 'code_paid', says: 'a paid charge', applies: true }`: the request should be refused with `code_paid`.
 */
export interface Cause {
  /** The code of the refusal. */
  readonly code: string
  /** What is wrong with the request, such as "an amount of zero". */
  readonly says: string
  /** False if the history excludes it. */
  readonly applies: boolean
  /** A statement of another question that its refusal shows too, since that question names the same rule. */
  readonly alsoShows?: { readonly question: string; readonly statement: string }
  /** What it rests on, where that differs from the declared refusal. */
  readonly question?: string | undefined
  /** The statement of its question that an acceptance shows, such as `CPF`. Default: `accepted`. */
  readonly shows?: string
  readonly fact?: string
  /** The entry of spec/behaviour that declares it, where that is not the refusal. */
  readonly entry?: string | undefined
  /** Whether another rule judges a request that is accepted although it applies. */
  readonly isJudgedElsewhere?: true
  /**
   * Whether a service may refuse such a request for a limit of its own, such as the most that one payment may have. Then
   * only the code of the refusal says whether it was for this cause.
   */
  readonly needsCode?: true
}

/** A request, and what the history had shown before it was sent. */
export interface RequestContext {
  readonly exchange: Exchange
  readonly model: Model
}

/** Builds a cause for which the request should be refused. */
export function buildApplicableCause(code: string, says: string, more: Partial<Cause> = {}): Cause {
  return { code, says, applies: true, ...more }
}

/**
 * Builds a cause that the history excludes, so that a refusal with its code is wrong. Such as
 * `('code_paid', 'an open charge')`: nobody may refuse to pay an open charge as paid.
 */
export function buildExcludedCause(code: string, says: string, more: Partial<Cause> = {}): Cause {
  return { code, says, applies: false, ...more }
}

/** Milliseconds by which clocks may differ: fewer if the service has shown its clock. */
export function readClockMarginMs({ serviceTimes }: Model): number {
  return serviceTimes.isShown ? 1_500 : 5_000
}

/** Milliseconds by which the clock of a recorder may be wrong: a year, since nobody knows how it was set. */
const UNPROVEN_MARGIN_MS = 366 * 86_400_000

/** A span of time, by the clock of the service, in milliseconds since 1970. */
export interface Span {
  readonly from: number
  readonly to: number
}

/**
 * Estimates when the service judged a request, by its own clock: some time between sending and response, and
 * a margin because two clocks differ. A request of 10:00:00 to 10:00:01 gives `{ from: 09:59:55, to: 10:00:06 }`,
 * in milliseconds since 1970. If only a recorder's clock dates it, the margin is a year, so that no day is certain.
 */
export function estimateServiceTime({ exchange, model }: RequestContext): Span {
  const marginMs = hasCertainTime(exchange) ? readClockMarginMs(model) : UNPROVEN_MARGIN_MS
  const durationMs = exchange.completeAt - exchange.sentAt
  // When the response was complete, by the clock of the service.
  const responseTime = exchange.trace.time
  return { from: responseTime - durationMs - marginMs, to: responseTime + marginMs }
}

/** Whether a request was judged around midnight in Brazil, so that nobody knows on which of two days. */
export function isDayUncertain(context: RequestContext): boolean {
  const { from, to } = estimateServiceTime(context)
  return dayAt(from) !== dayAt(to)
}
