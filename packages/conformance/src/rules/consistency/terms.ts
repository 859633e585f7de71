import { isEndToEndId } from '../../causes/payments.ts'
import { stringAt } from '../../contract/json.ts'
import type { ShownRecord } from '../../contract/kinds.ts'
import { centavosOf, reaisOf } from '../../model/amounts.ts'
import type { FirstSight } from '../../model/consistency.ts'
import { PAYMENT } from '../../model/records.ts'
import { citeEarlier, type RuleContext, withArticle } from '../rule.ts'
import { compareShownKeys, haveSameNotation } from './checks.ts'

/**
 * Expects that a charge keeps the amount, the due date and the key that the service showed first.
 *
 * The contract has no operation that changes them. The owner may still change them elsewhere, as the Pix
 * API allows, and no recording shows that; but each such change raises the revision. A payment may raise it
 * too. So only two responses with one revision are compared.
 */
export function expectConsistentTerms(context: RuleContext): void {
  const { exchange, model } = context
  if (exchange.outcome !== 'accepted') return

  expectConsistentPayments(context)
  for (const shown of exchange.records) {
    const first = model.consistency.findFirstSight(shown)
    if (!first) continue

    expectOriginalAmount(first, shown, context)
    expectDueDate(first, shown, context)
    expectKey(first, shown, context)
  }
}

function expectOriginalAmount(
  { by, original }: FirstSight,
  { kind, fields }: ShownRecord,
  { exchange, report }: RuleContext,
): void {
  const expected = centavosOf(original)
  const shown = centavosOf(stringAt(fields.amount, '/original'))
  if (expected === undefined || shown === undefined) return

  report.expect(
    shown === expected,
    {
      evidence: exchange,
      cites: citeEarlier(by, `${by.operation} shows ${reaisOf(expected)}`),
      about: 'amount of charge',
    },
    () =>
      `${exchange.operation?.id} shows ${reaisOf(shown)} as the amount of ${withArticle(kind.name)} of which ${by.operation} shows ${reaisOf(expected)}, and the same revision.`,
  )
}

function expectDueDate(
  { by, dueDate }: FirstSight,
  { kind, fields }: ShownRecord,
  { exchange, report }: RuleContext,
): void {
  const shown = stringAt(fields.calendar, '/due_date')
  if (!dueDate || !shown || !haveSameNotation(shown, dueDate)) return

  report.expect(
    shown === dueDate,
    {
      evidence: exchange,
      cites: citeEarlier(by, `${by.operation} shows the due date ${dueDate}`),
      about: 'due date of charge',
    },
    () =>
      `${exchange.operation?.id} shows the due date ${shown} of ${withArticle(kind.name)} of which ${by.operation} shows ${dueDate}, and the same revision.`,
  )
}

function expectKey(
  { by, dictKey }: FirstSight,
  { kind, fields }: ShownRecord,
  { exchange, report }: RuleContext,
): void {
  if (dictKey === undefined || typeof fields.dict_key !== 'string') return

  const comparison = compareShownKeys(fields.dict_key, dictKey)
  if (comparison === 'unknown') return

  report.expect(
    comparison === 'same',
    {
      evidence: exchange,
      cites: citeEarlier(by, `${by.operation} shows another key`),
      about: 'key of charge',
    },
    () =>
      `${exchange.operation?.id} shows another key of ${withArticle(kind.name)} than ${by.operation}, and the same revision.`,
  )
}

/**
 * Expects that no payment is shown for two charges, nor one that was rejected. All of Pix names one payment by
 * its `end_to_end_id`.
 */
function expectConsistentPayments({ exchange, model, report }: RuleContext): void {
  const idByPayment = new Map<string, string>()
  for (const { id, fields } of exchange.records) {
    const endToEndId = stringAt(fields[PAYMENT], '/end_to_end_id') ?? ''
    if (!isEndToEndId(endToEndId)) continue

    const ownId = id.toLowerCase()
    const paidId = model.consistency.findPaid(endToEndId) ?? idByPayment.get(endToEndId) ?? ownId
    idByPayment.set(endToEndId, paidId)
    report.expect(
      paidId === ownId,
      {
        evidence: exchange,
        cites: citeEarlier(exchange.trace, 'another charge has the same payment'),
        about: 'payment of two',
      },
      () => `${exchange.operation?.id} shows one payment for two charges.`,
    )

    const rejected = model.consistency.findRejectedTransfer(endToEndId)
    if (rejected)
      report.failed(
        exchange,
        citeEarlier(rejected, 'createTransfer shows the same payment as rejected'),
        `${exchange.operation?.id} shows a charge as paid by a transfer that createTransfer showed as rejected.`,
        { about: 'rejected payment' },
      )
  }
}
