import { stringAt } from '../../contract/json.ts'
import type { ShownRecord } from '../../contract/kinds.ts'
import { isEndToEndId } from '../../model/end-to-end-ids.ts'
import { PAYMENT } from '../../model/records.ts'
import { citeEarlier, type RuleContext } from '../rule.ts'

/**
 * Expects that no payment is shown for two charges, nor one that was rejected. All of Pix names one payment by
 * its `end_to_end_id`.
 */
export function expectConsistentPayments(context: RuleContext): void {
  if (context.exchange.outcome !== 'accepted') return

  expectPaymentsOfOneCharge(context)
  reportRejectedPayments(context)
}

/**
 * Expects that no two charges show one payment, neither in this response nor across earlier ones: the first
 * charge that shows a payment is the one that it has paid.
 */
function expectPaymentsOfOneCharge({ exchange, model, report }: RuleContext): void {
  /** The id of the first charge of this response with a payment, by the `end_to_end_id` of the payment. */
  const firstIds = new Map<string, string>()
  for (const shownRecord of exchange.records) {
    const payment = readPaymentId(shownRecord)
    if (payment === undefined) continue

    const id = shownRecord.id.toLowerCase()
    // The first charge with this payment: in an earlier response, else before in this one, else this charge itself.
    const idInEarlierResponse = model.consistency.findPaid(payment)
    const firstId = idInEarlierResponse ?? firstIds.get(payment) ?? id
    firstIds.set(payment, firstId)
    report.expect(
      id === firstId,
      {
        evidence: exchange,
        cites: citeEarlier(exchange.trace, 'another charge has the same payment'),
        about: 'payment of two',
      },
      () => `${exchange.operation?.id} shows one payment for two charges.`,
    )
  }
}

/** Reports each charge whose payment is a transfer that createTransfer showed as rejected. */
function reportRejectedPayments({ exchange, model, report }: RuleContext): void {
  for (const shownRecord of exchange.records) {
    const payment = readPaymentId(shownRecord)
    const rejected = payment && model.consistency.findRejectedTransfer(payment)
    if (!rejected) continue

    const cites = citeEarlier(rejected, 'createTransfer shows the same payment as rejected')
    const message = `${exchange.operation?.id} shows a charge as paid by a transfer that createTransfer showed as rejected.`
    report.failed(exchange, cites, message, { about: 'rejected payment' })
  }
}

/** Reads the `end_to_end_id` of the payment that a charge shows; undefined if it shows none. */
function readPaymentId({ fields }: ShownRecord): string | undefined {
  const id = stringAt(fields[PAYMENT], '/end_to_end_id')
  return id !== undefined && isEndToEndId(id) ? id : undefined
}
