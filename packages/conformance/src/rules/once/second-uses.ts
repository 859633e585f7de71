import type { RequestContext } from '../../causes/cause.ts'
import { isRejected, isShownAgain, isShownAsPayment, isUsedUp } from '../../causes/once.ts'
import type { Exchange } from '../../model/exchange.ts'
import { type ValueHistory, worksOnce } from '../../model/values.ts'
import type { Model } from '../../model.ts'
import type { Cites } from '../../report/report.ts'
import { citeStatement, type EndContext, type RuleContext } from '../rule.ts'
import type { SentOneTimeValue } from './declarations.ts'
import { expectValueRefused } from './refused-values.ts'

/**
 * Whether a value that works once was certainly used by an earlier accepted transfer. A rejected transfer leaves its
 * charge open, but it uses up an `initiation_id`, which is bound to what it was issued for (`unbound`).
 */
export function wasUsedBefore(
  sentValue: SentOneTimeValue,
  valueHistory: ValueHistory,
  model: Model,
): boolean {
  if (!worksOnce(sentValue, valueHistory)) return false

  const { unbound } = sentValue.declared
  return valueHistory.accepted.some((transfer) => unbound || isUsedUp(transfer, model))
}

/** Expects that a request with a one-time value that was used before is refused. */
export function expectSecondUseRefused(sentValue: SentOneTimeValue, context: RuleContext): void {
  const { exchange, report } = context
  const result = classifySecondUse(context)
  expectValueRefused({ about: result, words: 'a second time' }, sentValue, {
    cites: citeSecondUse(sentValue),
    refusal: sentValue.declared.used.refusal,
    exchange,
    report,
    impact: result === 'used' ? 'critical' : 'high',
  })
}

/**
 * Says in a word what a second use of a one-time value led to: the service showed the first transfer again
 * (`repeated`), rejected the second one later (`rejected`), or may have moved money twice (`used`).
 */
function classifySecondUse({ exchange, model }: RequestContext): 'repeated' | 'rejected' | 'used' {
  if (isShownAgain({ exchange, model })) return 'repeated'
  return isRejected(exchange, model) ? 'rejected' : 'used'
}

/** Cites that a one-time value works once. The second use may have an open question of its own. */
function citeSecondUse({ name, declared }: SentOneTimeValue): Cites {
  const { used } = declared
  const source = used.question ? used : declared
  return citeStatement(source, name, used)
}

/** Whether a value that works once was accepted again, so that the service may have been wrong to do so. */
export function mayBeSecondUse(
  sentValue: SentOneTimeValue,
  valueHistory: ValueHistory,
  exchange: Exchange,
): boolean {
  const isSecond = exchange.outcome === 'accepted' && valueHistory.accepted.length > 0
  return isSecond && worksOnce(sentValue, valueHistory)
}

/** An accepted second use of a value, when nobody knew whether the first one would be rejected. */
interface SecondUse {
  readonly sentValue: SentOneTimeValue
  /** The requests with the value before it. */
  readonly valueHistory: ValueHistory
  readonly exchange: Exchange
}

/** The second uses of each history, which its end decides. */
const secondUses = new WeakMap<Model, SecondUse[]>()
const MAX_SECOND_USES = 1_000

/**
 * Notes an accepted second use of a one-time value, to be judged at the end of the history, when it is
 * known whether the first use has paid.
 */
export function noteSecondUse(secondUse: SecondUse, model: Model): void {
  const noted = secondUses.get(model) ?? []
  if (noted.length < MAX_SECOND_USES) noted.push(secondUse)
  secondUses.set(model, noted)
}

/**
 * Judges the second uses that were noted. At the end, it is known whether the first one has settled, so that the
 * second use should have been refused.
 */
export function judgeNotedSecondUses({ model, report }: EndContext): void {
  for (const secondUse of secondUses.get(model) ?? []) {
    const { sentValue, valueHistory, exchange } = secondUse
    // Whether one of the uses before has paid, as an event after it may have shown.
    const isUsed = wasUsedBefore(sentValue, valueHistory, model)
    if (isUsed) expectSecondUseRefused(sentValue, { exchange, model, report })
    else if (model.isComplete) expectFirstRejected(secondUse, { model, report })
  }
}

/**
 * Expects that the first use of a value was rejected, since the second one was accepted. If nothing shows that it
 * was, the money may have moved twice.
 */
function expectFirstRejected(
  { sentValue, valueHistory, exchange }: SecondUse,
  { model, report }: EndContext,
): void {
  // A transfer that was rejected has not used the value.
  const areAllRejected = valueHistory.accepted.every((transfer) => isRejected(transfer, model))
  if (areAllRejected) return

  // The response may only show the first transfer again.
  if (isShownAgain({ exchange, model })) return
  // If the code shows the second transfer as its payment, the first one has not paid it.
  if (isShownAsPayment(exchange, model.records)) return
  // A second transfer that was rejected too has moved nothing.
  if (isRejected(exchange, model)) return

  const message = `createTransfer accepted a ${sentValue.pointer} a second time; expected that the first transfer was rejected, which nothing shows.`
  report.failed(exchange, citeSecondUse(sentValue), message, {
    about: 'perhaps used',
    impact: 'high',
  })
}
