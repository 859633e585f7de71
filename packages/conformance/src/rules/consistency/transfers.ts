import type { RequestContext } from '../../causes/cause.ts'
import { isForbidden } from '../../causes/index.ts'
import { readCustomerField } from '../../causes/payments.ts'
import { MORE_THAN_ANY_ACCOUNT } from '../../causes/transfers.ts'
import { behaviour } from '../../contract/behaviour.ts'
import { stringAt, valueAt } from '../../contract/json.ts'
import { centavosOf, hasPlainAmount, readSentAmount, reaisOf } from '../../model/amounts.ts'
import { isLikePayment, type RefusedPayment } from '../../model/consistency.ts'
import { readEndToEndIdOfTransfer } from '../../model/end-to-end-ids.ts'
import { type Exchange, isValid, nameOf, type Trace } from '../../model/exchange.ts'
import { readCertainValue } from '../../model/records.ts'
import { compareTaxIds } from '../../model/tax-ids.ts'
import type { Model } from '../../model.ts'
import { findLastTrace } from '../fields.ts'
import { cite, citeEarlier, type RuleContext } from '../rule.ts'

/**
 * Expects that what the service does with a transfer agrees with its earlier responses: whether it accepts what they
 * offered, from which account and to whom the money goes, and that it is a new payment.
 */
export function expectConsistentTransfer(context: RuleContext): void {
  const { exchange, model } = context
  const { operation, outcome } = exchange
  if (operation?.id !== 'createTransfer') return

  reportUnusableInitiation(context)
  expectNothingTakenByRefusal(context)
  expectChangedAmountAccepted(context)

  // The response to a repeated transfer may show the first one again.
  if (outcome !== 'accepted' || model.values.isRepeated(exchange)) return

  reportNegativePayment(context)
  expectAccountOfPayer(context)
  expectBeneficiary(context)
  expectNewPayment(context)
}

/**
 * Reports a transfer that was accepted with a negative amount, and shows that amount: it takes money from its
 * receiver. Does nothing if the service left the sign out, or shows every payment as negative.
 */
function reportNegativePayment({ exchange, model, report }: RuleContext): void {
  const sent = readSentAmount(exchange)
  if (sent === undefined || sent >= 0n || readShownAmount(exchange) !== sent) return
  if (showsPaymentsAsNegative(model)) return

  const message = `createTransfer accepted the amount ${reaisOf(sent)}, which takes money from its receiver.`
  const cites = citeEarlier(exchange.trace, `it shows the amount ${reaisOf(sent)}`)
  report.failed(exchange, cites, message, { about: 'negative amount' })
}

/** Whether an earlier transfer shows its amount as what its payer loses: -10.00 where 10.00 was sent. */
function showsPaymentsAsNegative({ deliveries }: Model): boolean {
  // Each accepted transfer is a change of a record.
  return deliveries.changes.some(({ kind, exchange }) => {
    if (kind.name !== 'transfer') return false

    const sent = readSentAmount(exchange)
    return sent !== undefined && sent > 0n && readShownAmount(exchange) === -sent
  })
}

function readShownAmount({ responseBody }: Exchange): bigint | undefined {
  return centavosOf(stringAt(responseBody, '/data/amount'))
}

/**
 * Expects that a customer does not pay from an account that a look-up showed as that of another customer. An
 * account that no look-up showed is allowed: a partner may keep the money of its customers in one account.
 */
function expectAccountOfPayer({ exchange, model, report }: RuleContext): void {
  const account = stringAt(exchange.responseBody, '/data/account_id')
  const expected = readCustomerField('account_id', exchange.identity, model)
  if (!account || expected === undefined) return

  const lookUp = findLookUpOfAccount(account, model)
  if (!lookUp) return

  report.expect(
    account === expected,
    {
      evidence: exchange,
      cites: citeEarlier(lookUp, 'it shows whose account that is'),
      about: 'account',
    },
    () => 'createTransfer of a customer pays from the account that another customer has.',
  )
}

/** Finds the last look-up that showed an account as that of a customer; undefined if none did. */
function findLookUpOfAccount(account: string, { records }: Model): Trace | undefined {
  const customers = records.listOfKind({ name: 'customer' })
  const owner = customers.find((customer) => readCertainValue(customer, 'account_id') === account)
  return owner && findLastTrace(owner, 'account_id')
}

/**
 * Expects that a refused payment took no money. Judges the third of three payments of a key: 10.00 was accepted, a
 * billion was refused, and 10.00 again must be accepted. If it is refused like the second, that refusal may have taken
 * the money. That the account holds 10.00 more is an assumption, since no response shows a balance.
 */
function expectNothingTakenByRefusal({ exchange, model, report }: RuleContext): void {
  const { outcome } = exchange
  if (outcome === 'unknown' || !isValid(exchange)) return

  // The last accepted payment of a key by this payer, and those that were refused since.
  const payments = model.consistency.findKeyPayments(exchange)
  const amount = readSentAmount(exchange)
  if (!payments || amount === undefined) return

  const paid = readSentAmount(payments.accepted) ?? 0n
  // A larger payment, one that lacks a field, or one that writes its amount in another way may be refused for that.
  const isComparable =
    amount <= paid && hasPlainAmount(exchange) && isLikePayment(exchange, payments.accepted)
  if (!isComparable || isForbidden({ exchange, model })) return

  const tooLarge = findTooLargePayment(exchange, payments.refused)
  if (!tooLarge) return

  report.expect(
    outcome === 'accepted',
    {
      evidence: exchange,
      cites: cite(behaviour.conventions.refusedEffects),
      about: 'taken by a refusal',
      impact: 'high',
    },
    () =>
      `createTransfer accepted ${reaisOf(paid)}, refused ${reaisOf(tooLarge.amount)}, and then refused ${reaisOf(amount)} in the same way; expected that a refusal takes nothing, if the account holds that much.`,
  )
}

/**
 * Finds an earlier refused payment of more than any account holds. If this payment is refused too, finds only one
 * that was refused with the same status and code. Undefined if there is none.
 */
function findTooLargePayment(
  exchange: Exchange,
  refused: readonly RefusedPayment[],
): RefusedPayment | undefined {
  const tooLarge = refused.filter(({ amount }) => amount > MORE_THAN_ANY_ACCOUNT)
  if (exchange.outcome === 'accepted') return tooLarge[0]

  // Another refusal may have another reason, such as the digits of the amount.
  return tooLarge.find((payment) => isRefusedAlike(exchange, payment))
}

/**
 * Expects that a code can be paid with a smaller amount than its check suggests, if the check says that the payer
 * can change it (`allow_value_change`). Judges only a request that the checker edited from an accepted payment
 * of the code, so that nothing else can be wrong with it.
 */
function expectChangedAmountAccepted({ exchange, model, report }: RuleContext): void {
  const { outcome } = exchange
  if (outcome === 'unknown' || !hasOnlyOtherAmount(exchange)) return
  if (isForbidden({ exchange, model })) return

  const check = model.sources.findCheck(exchange)
  const canChange = valueAt(check?.responseBody, '/allow_value_change') === true
  if (!check || !canChange) return

  const suggested = centavosOf(stringAt(check.responseBody, '/final_amount'))
  const amount = readSentAmount(exchange)
  if (suggested === undefined || amount === undefined) return
  // Of a larger amount, the account may not hold enough.
  if (amount <= 0n || amount > suggested) return

  report.expect(
    outcome === 'accepted',
    {
      evidence: exchange,
      cites: { question: 'code-value-change' },
      about: 'any amount',
      impact: 'high',
    },
    () =>
      `createTransfer refused ${reaisOf(amount)} for a code of ${reaisOf(suggested)}, although its check shows allow_value_change as true.`,
  )
}

/** Whether the run edited a transfer from an accepted one, and only to another valid amount. */
function hasOnlyOtherAmount(exchange: Exchange): boolean {
  const { intent, isVariant } = exchange
  return isVariant && intent?.edit === '/amount' && isValid(exchange) && hasPlainAmount(exchange)
}

/** Whether a payment was refused in the same way as an earlier one. */
function isRefusedAlike({ status, responseBody }: Exchange, earlier: RefusedPayment): boolean {
  return status === earlier.status && stringAt(responseBody, '/code') === earlier.code
}

/** Where the earlier responses show the tax ID of whom a transfer goes to. */
const RECEIVER_POINTERS: Readonly<Record<string, string>> = {
  checkCode: '/beneficiary/tax_id',
  checkKey: '/owner_document',
}

/**
 * Expects that a transfer goes to the person whom the check of its code, or the look-up of its key, showed. Does
 * nothing if that came later than the transfer, or if the masks of the two tax IDs hide too much.
 */
function expectBeneficiary({ exchange, model, report }: RuleContext): void {
  const receiver = stringAt(exchange.responseBody, '/data/beneficiary/tax_id') ?? ''
  for (const source of listReceiverSources({ exchange, model })) {
    const expected = readReceiver(source)
    if (expected === undefined || source.completeAt > exchange.sentAt) continue

    const comparison = compareTaxIds(expected, receiver)
    if (comparison === 'unknown') continue

    report.expect(
      comparison === 'same',
      {
        evidence: exchange,
        cites: citeEarlier(source.trace, `${source.operation?.id} shows another receiver`),
        about: 'beneficiary',
      },
      () => `createTransfer pays another beneficiary than ${source.operation?.id} has shown.`,
    )
  }
}

/**
 * Lists the earlier exchanges that may show to whom a transfer goes: the check of its code, or the look-ups of
 * its key.
 */
function listReceiverSources({ exchange, model }: RequestContext): readonly Exchange[] {
  // The check of its code, and the look-up that issued its initiation_id.
  const sources = model.sources.listSources(exchange)
  // A transfer may have no initiation_id, or that of another look-up.
  const key = stringAt(exchange.requestBody, '/dict_key') ?? ''
  const lookUp = model.sources.findKeyLookUp(key)
  return lookUp ? [...sources, lookUp] : sources
}

/** Reads the tax ID of the receiver from a check or a look-up. */
function readReceiver({ operation, responseBody }: Exchange): string | undefined {
  const pointer = RECEIVER_POINTERS[operation?.id ?? '']
  return pointer === undefined ? undefined : stringAt(responseBody, pointer)
}

/** The field that names a payment in all of Pix. */
const END_TO_END_ID = '/end_to_end_id'

/**
 * Expects that a transfer shows an `end_to_end_id` that no other transfer showed: all of Pix names one
 * payment by it.
 */
function expectNewPayment({ exchange, model, report }: RuleContext): void {
  const id = stringAt(exchange.responseBody, '/data/id')
  const endToEndId = readEndToEndIdOfTransfer(exchange)
  if (!id || endToEndId === undefined) return

  // The id of the first transfer with it. The model remembers these values by the name of their invariant.
  const firstId = model.sharedValues.findIdWith('end-to-end-id-unique', END_TO_END_ID, endToEndId)
  const isOfOtherTransfer = firstId !== undefined && firstId !== id
  report.expect(
    !isOfOtherTransfer,
    {
      evidence: exchange,
      cites: citeEarlier(exchange.trace, 'an earlier transfer has the same end_to_end_id'),
      about: 'end_to_end_id',
    },
    () =>
      'createTransfer shows the end_to_end_id of an earlier transfer, which is another payment.',
  )
}

/**
 * Reports a look-up that issues a used `initiation_id` again. A transfer has paid with `init-1`, a later look-up of the
 * key issues `init-1` once more, and the same payment with it is refused.
 */
function reportUnusableInitiation({ exchange, model, report }: RuleContext): void {
  if (exchange.outcome !== 'refused' || !isValid(exchange)) return

  // The initiation_id of the request: `{ name: 'initiation', value: 'init-1' }`.
  const initiation = model.values.listSentValues(exchange).find(({ name }) => name === 'initiation')
  if (!initiation) return

  const lookUp = model.sources.findIssuingLookUp(initiation.value)
  if (!lookUp || !isOfSameCaller(lookUp, exchange)) return

  const transfersWithIt = model.values.findValueHistory(initiation, exchange)?.accepted ?? []
  const hasPaidBeforeLookUp = transfersWithIt.some(
    (transfer) => transfer.completeAt < lookUp.sentAt && isSamePayment(transfer, exchange),
  )
  if (!hasPaidBeforeLookUp) return

  const message =
    'createTransfer refused an initiation_id that it had accepted before checkKey issued it again.'
  report.failed(exchange, citeEarlier(lookUp.trace, 'checkKey issues it again'), message, {
    about: 'initiation',
  })
}

/** Whether two requests are certainly of one identity. */
function isOfSameCaller(one: Exchange, other: Exchange): boolean {
  if (!one.identity || !other.identity) return false
  return nameOf(one.identity) === nameOf(other.identity)
}

/** Whether two transfers pay the same amount to the same key. */
function isSamePayment(one: Exchange, other: Exchange): boolean {
  return ['/amount', '/dict_key'].every(
    (field) => stringAt(one.requestBody, field) === stringAt(other.requestBody, field),
  )
}
