import type { RequestContext } from '../../causes/cause.ts'
import { type Departure, findDepartures } from '../../causes/once.ts'
import { stringAt } from '../../contract/json.ts'
import { isValid } from '../../model/exchange.ts'
import type { ValueHistory } from '../../model/values.ts'
import { cite, citeStatement, type RuleContext } from '../rule.ts'
import type { SentOneTimeValue } from './declarations.ts'
import { expectValueRefused } from './refused-values.ts'
import {
  expectSecondUseRefused,
  mayBeSecondUse,
  noteSecondUse,
  wasUsedBefore,
} from './second-uses.ts'

/**
 * Judges a one-time value that was used or issued before: the request is refused if the value is used up,
 * or if the request differs from what it was issued for, such as by another `dict_key`.
 *
 * @param valueHistory The exchange that issued the value, and the earlier requests with it by their outcome.
 */
export function judgeKnownValue(
  sentValue: SentOneTimeValue,
  valueHistory: ValueHistory,
  context: RuleContext,
): void {
  const { exchange, model } = context
  // Of a request without a known sender, a refusal may be one of its token.
  const mayBeRefusedForToken = exchange.identity === undefined && exchange.outcome !== 'accepted'
  if (mayBeRefusedForToken) return

  const isUsed = wasUsedBefore(sentValue, valueHistory, model)
  if (isUsed) {
    expectSecondUseRefused(sentValue, context)
  } else if (mayBeSecondUse(sentValue, valueHistory, exchange)) {
    // Only the end shows whether an earlier transfer that is pending has used the value.
    noteSecondUse({ sentValue, valueHistory, exchange }, model)
  }

  // None, if no response has issued the value.
  expectDeparturesRefused(sentValue, { valueHistory, isUsed }, context)
}

/**
 * Expects that a request is refused for each departure from what its one-time value was issued for: it has another
 * identity, another field, or comes too late. Such as `{ about: '/dict_key', words: 'with another /dict_key' }`.
 */
function expectDeparturesRefused(
  sentValue: SentOneTimeValue,
  { valueHistory, isUsed }: { readonly valueHistory: ValueHistory; readonly isUsed: boolean },
  { exchange, model, report }: RuleContext,
): void {
  const { declared } = sentValue
  for (const departure of findDepartures(declared, valueHistory, { exchange, model })) {
    const isLate = departure.about === 'expired'
    const declaredRefusal = isLate ? declared.expired?.refusal : declared.unbound?.refusal
    if (exchange.outcome === 'refused' && mayHaveOtherReason(departure, { exchange, model }))
      continue

    // The open question has a statement for each departure, such as `dict_key` for `/dict_key`.
    const statement = departure.statement ?? departure.about.replace('/', '')
    expectValueRefused(departure, sentValue, {
      cites: citeStatement(declared, statement),
      // If it was used before too, the refusal may have the code for that.
      refusal: isUsed ? undefined : declaredRefusal,
      exchange,
      report,
    })
  }
}

/** Whether a refusal may be for the form of the request, or for a key that the service does not know. */
function mayHaveOtherReason(
  { about }: Departure,
  { exchange, model: { ledger } }: RequestContext,
): boolean {
  if (!isValid(exchange)) return true
  if (about !== '/dict_key') return false

  const key = stringAt(exchange.requestBody, about) ?? ''
  return ledger.findKeyEntry(key) === undefined && !ledger.isKeyOfCode(key)
}

/**
 * Judges a one-time value that no response of the history has issued. An `initiation_id` is refused then.
 * A payment code may be paid: it is not that of a known charge, so it may be that of a static code.
 */
export function judgeUnissuedValue(sentValue: SentOneTimeValue, context: RuleContext): void {
  // Of a request without a known sender, a refusal may be one of its token.
  if (!context.exchange.identity) return

  const mustBeIssued = sentValue.declared.unissued !== undefined
  if (mustBeIssued) expectUnissuedRefused(sentValue, context)
  else expectRepeatable(sentValue, context)
}

/**
 * Expects that a request is refused if no response has issued its one-time value, such as an `initiation_id` that
 * somebody made up. Does nothing if a response that the history does not show may have issued it.
 */
function expectUnissuedRefused(
  sentValue: SentOneTimeValue,
  { exchange, model, report }: RuleContext,
): void {
  const { forgotten, mayIssueUnseen } = model.values
  const isCertain = model.isComplete && forgotten === 0 && !mayIssueUnseen
  if (!isCertain) return

  const { unissued } = sentValue.declared
  expectValueRefused({ about: 'unissued', words: 'that no response has issued' }, sentValue, {
    cites: cite(unissued),
    refusal: unissued?.refusal,
    exchange,
    report,
  })
}

/**
 * Expects that the payment of a static code is not refused as a second use: a static code may be paid any number of
 * times. Does nothing if no response of the history has shown the code, or if the refusal has another code.
 */
function expectRepeatable(
  { pointer, value, declared }: SentOneTimeValue,
  { exchange, model, report }: RuleContext,
): void {
  const { operation, outcome, status, responseBody } = exchange
  const [record] = model.records.findByCode(value)
  if (!record) return

  // The declared code for a second use, such as `code_paid`.
  const codeOfSecondUse = declared.used.refusal
  const code = stringAt(responseBody, '/code')
  const isRefusedAsUsed = outcome === 'refused' && code === codeOfSecondUse
  // Any other refusal says nothing of the value.
  if (outcome !== 'accepted' && !isRefusedAsUsed) return

  report.expect(
    !isRefusedAsUsed,
    {
      evidence: exchange,
      cites: cite(declared),
      // Groups the refusals of static codes as one finding.
      about: 'again',
    },
    () => `${operation?.id} refused a ${pointer} that may be used repeatedly (${status}).`,
  )
}
