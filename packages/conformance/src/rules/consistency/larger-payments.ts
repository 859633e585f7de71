import { isRejected, isSettled } from '../../causes/once.ts'
import { stringAt } from '../../contract/json.ts'
import { REJECTED, SETTLED } from '../../contract/words.ts'
import { centavosOf, readSentAmount, reaisOf } from '../../model/amounts.ts'
import { type Exchange, nameOf } from '../../model/exchange.ts'
import type { LargerPayment, RefusedKeyPayment } from '../../model/larger-payments.ts'
import { compareTaxIds } from '../../model/tax-ids.ts'
import type { Model } from '../../model.ts'
import { citeEarlier, type EndContext } from '../rule.ts'

/**
 * Expects that no payment settles after the service has refused smaller ones of the same account, such as for lack of
 * funds, whatever the form of its amount, and whether it pays a key or a code.
 */
export function expectNoLargerPayments({ model, report }: EndContext): void {
  // Others may fill the account meanwhile.
  if (!model.isComplete) return

  for (const payment of model.largerPayments.list()) {
    const { transfer, amount } = payment
    const refused = findRefusedAlike(payment, model)
    if (!refused || isRejected(transfer, model)) continue
    if (mayHaveBeenFilled(payment, refused, model)) continue

    const { code, exchange } = refused
    const refusal = code === undefined ? String(exchange.status) : `${exchange.status} ${code}`
    const says = `createTransfer refused ${reaisOf(refused.amount)} (${refusal})`
    const message = `${says} more than once, and then accepted ${reaisOf(amount)} from the same account.`
    const hasSettled = isSettled(transfer, model)
    report.failed(transfer, citeEarlier(exchange.trace, says), message, {
      // Of its own, so that a baseline that accepts a pending payment does not accept one that has settled.
      about: hasSettled ? 'larger than refused, settled' : 'larger than refused',
      // One that is pending may still be rejected.
      ...(!hasSettled && { impact: 'high' }),
    })
  }
}

/**
 * Finds the last of the payments that were refused alike, by status and code, and at least twice. A single refusal may
 * have a reason that passes, such as another payment on its way.
 */
function findRefusedAlike(
  { transfer, refused }: LargerPayment,
  model: Model,
): RefusedKeyPayment | undefined {
  const comparable = refused.filter(
    ({ exchange }) =>
      isOfSamePayer(exchange, transfer, model) &&
      needsAsMuch(transfer, exchange) &&
      hasOwnLookUp(exchange, model),
  )
  return comparable.findLast((last) => {
    const alike = comparable.filter(
      ({ exchange, code }) => exchange.status === last.exchange.status && code === last.code,
    )
    return alike.length > 1
  })
}

/** A hundredth of what was refused hardly makes the difference. */
const SMALL_DIVISOR = 100n

/**
 * Whether an earlier payment may have filled the account after the refusals: it was accepted as pending. Once it is
 * rejected, its payer gets the money back, and once it settles, its payee gets it.
 */
function mayHaveBeenFilled(
  { transfer }: LargerPayment,
  refused: RefusedKeyPayment,
  model: Model,
): boolean {
  return model.deliveries.changes.some(({ kind, exchange }) => {
    const isEarlier = kind.name === 'transfer' && exchange.sentAt < transfer.sentAt
    if (!isEarlier || !wasPending(exchange)) return false

    const amount =
      readSentAmount(exchange) ?? centavosOf(stringAt(exchange.responseBody, '/data/amount'))
    const isSmall = amount !== undefined && amount < refused.amount / SMALL_DIVISOR
    if (isSmall) return false

    const mayHaveComeBack = isOfSamePayer(exchange, transfer, model) && !isSettled(exchange, model)
    const mayHaveArrived = mayPayPayer(exchange, transfer) && !isRejected(exchange, model)
    return mayHaveComeBack || mayHaveArrived
  })
}

/** Whether a transfer had neither settled nor been rejected when it was accepted. */
function wasPending({ responseBody }: Exchange): boolean {
  const status = stringAt(responseBody, '/status')
  return status !== SETTLED && status !== REJECTED
}

/** Whether the payee of a transfer may be the payer of another one. */
function mayPayPayer(transfer: Exchange, other: Exchange): boolean {
  const payee = stringAt(transfer.responseBody, '/data/beneficiary/tax_id') ?? ''
  const payer = stringAt(other.responseBody, '/data/payer/tax_id') ?? ''
  return compareTaxIds(payee, payer) !== 'different'
}

/** Whether a payment is from the account that a transfer shows as that of its payer. */
function isOfSamePayer({ identity }: Exchange, transfer: Exchange, { ledger }: Model): boolean {
  if (!identity) return false
  const isSameIdentity = transfer.identity && nameOf(transfer.identity) === nameOf(identity)
  const account = stringAt(transfer.responseBody, '/data/account_id')
  return isSameIdentity || (account !== undefined && account === ledger.findPayer(identity))
}

/**
 * Whether a transfer needs as much money as a refused payment: it goes to the same key, or to somebody else than its
 * payer. A payment to oneself takes nothing from the account.
 */
function needsAsMuch({ requestBody, responseBody }: Exchange, refused: Exchange): boolean {
  const key = stringAt(requestBody, '/dict_key')
  if (key !== undefined && key === stringAt(refused.requestBody, '/dict_key')) return true

  const payer = stringAt(responseBody, '/data/payer/tax_id') ?? ''
  const payee = stringAt(responseBody, '/data/beneficiary/tax_id') ?? ''
  return compareTaxIds(payer, payee) !== 'same'
}

/** Milliseconds for which an `initiation_id` certainly works. */
const LOOK_UP_MS = 60_000

/**
 * Whether a refused payment has an `initiation_id` that was issued for it: to the same caller and for the same key, less
 * than a minute before, and no other transfer has it. So that is not what the service refused.
 */
function hasOwnLookUp(refused: Exchange, { values }: Model): boolean {
  const initiation = values.listSentValues(refused).find(({ name }) => name === 'initiation')
  const history = initiation && values.findValueHistory(initiation, refused)
  const lookUp = history?.issuedBy
  if (!history || !lookUp?.identity || !refused.identity) return false

  const isOnlyTransfer =
    history.accepted.length + history.unknown.length === 0 && history.refused.length === 1
  const isOfCaller = nameOf(lookUp.identity) === nameOf(refused.identity)
  const isOfKey =
    stringAt(lookUp.requestBody, '/dict_key') === stringAt(refused.requestBody, '/dict_key')
  const isRecent = refused.sentAt - lookUp.completeAt < LOOK_UP_MS
  return isOnlyTransfer && isOfCaller && isOfKey && isRecent
}
