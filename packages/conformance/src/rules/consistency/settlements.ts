import { isRejected, isSettled } from '../../causes/once.ts'
import { readCustomerField } from '../../causes/payments.ts'
import { stringAt, valueAt } from '../../contract/json.ts'
import { declaredKinds } from '../../contract/kinds.ts'
import { centavosOf, dayAt, reaisOf } from '../../model/amounts.ts'
import type { Exchange } from '../../model/exchange.ts'
import { type KnownRecord, PAYMENT, readCertainValue } from '../../model/records.ts'
import { isSameTaxId } from '../../model/tax-ids.ts'
import { chargeUse } from '../../model/values.ts'
import type { Model } from '../../model.ts'
import { citeEarlier, type EndContext } from '../rule.ts'

/** Expects that no payment of a code contradicts what the service showed or refused before. */
export function expectOwnSettlements({ model, report }: EndContext): void {
  for (const { transfer, record } of listSettledTransfers(model)) {
    expectNotCancelled(transfer, record, { model, report })
    expectCheckable(transfer, { model, report })
    expectShownAmount(transfer, { model, report })
    expectBeforeEnd(transfer, { model, report })
  }
  for (const record of listRecords(model)) expectNotRefused(record, { model, report })
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

/** Lists the transfers of codes that have certainly moved money. */
function listSettledTransfers(model: Model): SettledTransfer[] {
  return listRecords(model).flatMap((record) => {
    const emv = readCertainValue(record, 'emv')
    if (typeof emv !== 'string') return []

    const { accepted = [] } = model.values.findUses(chargeUse(emv), { by: undefined }) ?? {}
    const settled = accepted
      .filter(isFirstOfId)
      .filter((transfer) => hasPaid(transfer, record, model))
    return settled.map((transfer) => ({ transfer, record }))
  })
}

/** A service may show an earlier transfer again, which moves nothing. */
function isFirstOfId(transfer: Exchange, index: number, transfers: readonly Exchange[]): boolean {
  const readTransferId = ({ shown }: Exchange) => stringAt(shown, '/id')
  return (
    transfers.findIndex((other) => readTransferId(other) === readTransferId(transfer)) === index
  )
}

/** Whether a transfer has settled, or the status of its code has changed since it was cancelled. */
function hasPaid(transfer: Exchange, record: KnownRecord, model: Model): boolean {
  if (isRejected(transfer, model)) return false
  return isSettled(transfer, model) || hasChangedAfterEnd(record, model)
}

/** Whether the status of a code is another one than after its cancellation. */
function hasChangedAfterEnd(record: KnownRecord, model: Model): boolean {
  const cancelled = model.consistency.findCancellation(record.id)?.status
  const status = readCertainValue(record, 'status')
  return cancelled !== undefined && status !== undefined && status !== cancelled
}

/** A code is not paid after it was cancelled. */
function expectNotCancelled(
  transfer: Exchange,
  record: KnownRecord,
  { model, report }: EndContext,
): void {
  const cancellation = model.consistency.findCancellation(record.id)
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

/** A code is not paid after its check was refused. */
function expectCheckable(transfer: Exchange, { model, report }: EndContext): void {
  const refused = model.consistency.findRefusedCheck(transfer)
  if (!refused) return

  report.expect(
    transfer.sentAt < refused.completeAt,
    {
      evidence: transfer,
      cites: citeEarlier(refused, 'checkCode refused the code'),
      about: 'refused check',
    },
    () => 'createTransfer paid a code whose check the service had refused before.',
  )
}

/** The last check says what the code costs that day, and that its payer cannot change that. */
function expectShownAmount(transfer: Exchange, { model, report }: EndContext): void {
  const check = model.sources
    .listSources(transfer)
    .findLast(({ operation }) => operation?.id === 'checkCode')
  if (!check || check.completeAt > transfer.sentAt) return
  if (valueAt(check.shown, '/allow_value_change') !== false) return

  const isSameDay = dayAt(check.trace.time) === dayAt(transfer.trace.time)
  const shown = centavosOf(stringAt(check.shown, '/final_amount'))
  const paid = centavosOf(stringAt(transfer.sent, '/amount'))
  // A code without an amount may be shown as one of zero.
  if (!isSameDay || !shown || paid === undefined) return

  const amount = reaisOf(shown)
  report.expect(
    paid === shown,
    {
      evidence: transfer,
      cites: citeEarlier(check.trace, `checkCode shows ${amount}, which cannot be changed`),
      about: 'amount',
    },
    () =>
      `createTransfer paid a code with ${reaisOf(paid)}, although its check shows final_amount as ${amount} and allow_value_change as false.`,
  )
}

/** Milliseconds by which clocks may differ. */
const MARGIN_MS = 5_000

/** A code is not paid after the end that its check has shown. */
function expectBeforeEnd(transfer: Exchange, { model, report }: EndContext): void {
  const end = model.consistency.findEnd(stringAt(transfer.sent, '/emv') ?? '')
  if (!end) return

  const shown = new Date(end.at).toISOString()
  report.expect(
    transfer.trace.time <= end.at + MARGIN_MS,
    {
      evidence: transfer,
      cites: citeEarlier(end.by, `checkCode shows that the code expires at ${shown}`),
      about: 'expired',
    },
    () => `createTransfer paid a code after the expiration that its check had shown, ${shown}.`,
  )
}

/** A transfer that was refused has not paid its code, where nobody else writes to the service. */
function expectNotRefused(record: KnownRecord, { model, report }: EndContext): void {
  const emv = readCertainValue(record, 'emv')
  const payment = readCertainValue(record, PAYMENT)
  const amount = centavosOf(stringAt(payment, '/amount'))
  if (typeof emv !== 'string' || amount === undefined || !model.isComplete) return

  const {
    accepted = [],
    unknown = [],
    refused = [],
  } = model.values.findUses(chargeUse(emv), { by: undefined }) ?? {}
  if (accepted.length + unknown.length > 0) return

  const payer = stringAt(payment, '/payer/tax_id') ?? ''
  const paid = refused.find(({ sent, by }) => {
    const taxId = readCustomerField('tax_id', by, model) ?? ''
    const isOfPayer = isSameTaxId(taxId, payer) !== false
    return isOfPayer && centavosOf(stringAt(sent, '/amount')) === amount
  })
  if (!paid) return

  const says = 'createTransfer refused the only transfers of the code'
  const message = `A QR code shows a payment of ${reaisOf(amount)}, although createTransfer refused to pay it.`
  report.failed(paid, citeEarlier(paid.trace, says), message, { about: 'refused' })
}
