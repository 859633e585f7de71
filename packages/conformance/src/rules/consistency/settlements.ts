import { isRejected, isSettled } from '../../causes/once.ts'
import { findTransfersOfCode, readCustomerField } from '../../causes/payments.ts'
import { stringAt, valueAt } from '../../contract/json.ts'
import { declaredKinds } from '../../contract/kinds.ts'
import { centavosOf, dayAt, readSentAmount, reaisOf } from '../../model/amounts.ts'
import type { Exchange } from '../../model/exchange.ts'
import { type KnownRecord, PAYMENT, readCertainValue } from '../../model/records.ts'
import { compareTaxIds } from '../../model/tax-ids.ts'
import { hasCertainTime } from '../../model/unknown.ts'
import type { Model } from '../../model.ts'
import { citeEarlier, type EndContext } from '../rule.ts'

/**
 * Expects that no payment of a code contradicts what the service showed or refused before: the code was
 * not cancelled, could be checked, cost as much, and had not expired.
 */
export function expectConsistentSettlements({ model, report }: EndContext): void {
  for (const { transfer, record } of listSettledTransfers(model)) {
    expectNotCancelled(transfer, record, { model, report })
    expectCheckable(transfer, { model, report })
    expectShownAmount(transfer, { model, report })
    expectBeforeEnd(transfer, { model, report })
  }
  for (const record of listRecords(model)) reportRefusedPayment(record, { model, report })
}

interface SettledTransfer {
  readonly transfer: Exchange
  /** The record of the code that it paid. */
  readonly record: KnownRecord
}

/** Lists the records of all kinds. */
function listRecords({ records }: Model): readonly KnownRecord[] {
  return declaredKinds.flatMap((kind) => records.listOfKind(kind))
}

/**
 * Lists the transfers that have certainly paid a code, each with the record of the code. A transfer that was only
 * accepted, and may still be rejected, is left out.
 */
function listSettledTransfers(model: Model): SettledTransfer[] {
  const settled: SettledTransfer[] = []
  for (const record of listRecords(model)) {
    const emv = readCertainValue(record, 'emv')
    if (typeof emv !== 'string') continue

    const accepted = findTransfersOfCode(emv, model)?.accepted ?? []
    // A transfer that is only shown again, with the same id, has moved nothing.
    for (const transfer of keepFirstOfEachId(accepted))
      if (hasPaid(transfer, record, model)) settled.push({ transfer, record })
  }
  return settled
}

/** Leaves out transfers that show the id of an earlier one again. */
function keepFirstOfEachId(transfers: readonly Exchange[]): readonly Exchange[] {
  const firstById = new Map<string | undefined, Exchange>()
  for (const transfer of transfers) {
    const id = stringAt(transfer.responseBody, '/id')
    if (!firstById.has(id)) firstById.set(id, transfer)
  }
  return [...firstById.values()]
}

/**
 * Whether a transfer has certainly paid its code: it has settled, or the code, which was cancelled, shows another
 * status since. False if it was rejected.
 */
function hasPaid(transfer: Exchange, record: KnownRecord, model: Model): boolean {
  if (isRejected(transfer, model)) return false
  return isSettled(transfer, model) || hasChangedAfterEnd(record, model)
}

/** Whether the status of a code is another one than after its cancellation. */
function hasChangedAfterEnd(record: KnownRecord, model: Model): boolean {
  const cancelled = model.consistency.findCancellation(record)?.status
  const status = readCertainValue(record, 'status')
  return cancelled !== undefined && status !== undefined && status !== cancelled
}

/** Expects that a settled transfer was sent before the code that it paid was cancelled. */
function expectNotCancelled(
  transfer: Exchange,
  record: KnownRecord,
  { model, report }: EndContext,
): void {
  const cancellation = model.consistency.findCancellation(record)
  if (!cancellation) return

  const { by } = cancellation
  report.expect(
    transfer.sentAt < by.completeAt,
    {
      evidence: transfer,
      cites: citeEarlier(by, `${by.operation} has cancelled the code`),
      about: 'cancelled',
    },
    () => `createTransfer paid a code after ${by.operation} had cancelled it.`,
  )
}

/** Expects that a settled transfer was sent before the service refused a check of its code. */
function expectCheckable(transfer: Exchange, { model, report }: EndContext): void {
  const refusedCheck = model.consistency.findRefusedCheck(transfer)
  if (!refusedCheck) return

  report.expect(
    transfer.sentAt < refusedCheck.completeAt,
    {
      evidence: transfer,
      cites: citeEarlier(refusedCheck, 'checkCode refused the code'),
      about: 'refused check',
    },
    () => 'createTransfer paid a code whose check the service had refused before.',
  )
}

/** Milliseconds by which clocks may differ. */
const MARGIN_MS = 5_000

/**
 * Expects that a settled transfer paid the amount that the last check of its code showed on the same day,
 * if the check said that the payer cannot change the amount.
 */
function expectShownAmount(transfer: Exchange, { model, report }: EndContext): void {
  const check = model.sources.findCheck(transfer)
  if (!check || check.completeAt > transfer.sentAt) return
  if (valueAt(check.responseBody, '/allow_value_change') !== false) return
  // The amount of a charge may be another one on each day.
  if (!areOnSameDay(check, transfer, model)) return

  const shownAmount = centavosOf(stringAt(check.responseBody, '/final_amount'))
  const paidAmount = readSentAmount(transfer)
  // A code without an amount may be shown as one of zero.
  const hasNoAmount = shownAmount === undefined || shownAmount === 0n
  if (hasNoAmount || paidAmount === undefined) return

  const expected = reaisOf(shownAmount)
  report.expect(
    paidAmount === shownAmount,
    {
      evidence: transfer,
      cites: citeEarlier(check.trace, `checkCode shows ${expected}, which cannot be changed`),
      about: 'amount',
    },
    () =>
      `createTransfer paid a code with ${reaisOf(paidAmount)}, although its check shows final_amount as ${expected} and allow_value_change as false.`,
  )
}

/** Whether two exchanges certainly happened on one day in Brazil. */
function areOnSameDay(earlier: Exchange, later: Exchange, model: Model): boolean {
  if (!hasCertainTime(earlier) || !hasCertainTime(later)) return false

  const earliest = model.timeAt(earlier.sentAt) - MARGIN_MS
  const latest = later.trace.time + MARGIN_MS
  return dayAt(earliest) === dayAt(latest)
}

/**
 * Expects that a settled transfer was sent before the expiration that the check of its code showed. Does nothing
 * if no check showed one, or if only a recorder's clock says when the transfer was.
 */
function expectBeforeEnd(transfer: Exchange, { model, report }: EndContext): void {
  // The expiration that the first check of the code showed (`at`), and that check (`by`).
  const end = model.consistency.findEnd(stringAt(transfer.requestBody, '/emv') ?? '')
  if (!end || !hasCertainTime(transfer)) return

  const earliestSentAt = model.serviceTimes.toEarliestServiceTime(transfer.sentAt)
  const expiration = new Date(end.at).toISOString()
  report.expect(
    earliestSentAt <= end.at + MARGIN_MS,
    {
      evidence: transfer,
      cites: citeEarlier(end.by, `checkCode shows that the code expires at ${expiration}`),
      about: 'expired',
    },
    () =>
      `createTransfer paid a code after the expiration that its check had shown, ${expiration}.`,
  )
}

/**
 * Reports a code that shows a payment, although the service refused each transfer of the code. One of the refused ones
 * must have the amount and the payer of the payment, and the history must be complete.
 */
function reportRefusedPayment(record: KnownRecord, { model, report }: EndContext): void {
  const emv = readCertainValue(record, 'emv')
  const payment = readCertainValue(record, PAYMENT)
  const amount = centavosOf(stringAt(payment, '/amount'))
  if (typeof emv !== 'string' || amount === undefined || !model.isComplete) return

  // By their outcome: `{ accepted: [], unknown: [], refused: [transfer] }`.
  const transfers = findTransfersOfCode(emv, model)
  if (!transfers) return

  const { accepted, unknown, refused } = transfers
  const mayBePaid = accepted.length > 0 || unknown.length > 0
  if (mayBePaid) return

  const refusedTransfer = refused.find((transfer) => {
    const sentAmount = readSentAmount(transfer)
    return sentAmount === amount && mayBePayer(transfer, payment, model)
  })
  if (!refusedTransfer) return

  const says = 'createTransfer refused the only transfers of the code'
  const message = `A QR code shows a payment of ${reaisOf(amount)}, although createTransfer refused to pay it.`
  report.failed(refusedTransfer, citeEarlier(refusedTransfer.trace, says), message, {
    about: 'refused',
  })
}

/** Whether the customer who sent a transfer may be the payer that the payment of a code shows. */
function mayBePayer({ identity }: Exchange, payment: unknown, model: Model): boolean {
  const taxId = readCustomerField('tax_id', identity, model) ?? ''
  const payer = stringAt(payment, '/payer/tax_id') ?? ''
  return compareTaxIds(taxId, payer) !== 'different'
}
