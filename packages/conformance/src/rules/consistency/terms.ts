import { stringAt } from '../../contract/json.ts'
import type { ShownRecord } from '../../contract/kinds.ts'
import { centavosOf, reaisOf } from '../../model/amounts.ts'
import type { FirstSight } from '../../model/consistency.ts'
import { citeEarlier, type RuleContext, withArticle } from '../rule.ts'
import { compareDueDates, compareShownKeys } from './comparisons.ts'

/**
 * Expects that a charge keeps the amount, the due date and the key that the service showed first. Only responses with
 * the same revision are compared. The owner may change a charge elsewhere, as the Pix API allows, which raises it.
 */
export function expectConsistentTerms(context: RuleContext): void {
  const { exchange, model } = context
  if (exchange.outcome !== 'accepted') return

  for (const shownRecord of exchange.records) {
    const firstSight = model.consistency.findFirstSight(shownRecord)
    if (!firstSight) continue

    expectOriginalAmount(firstSight, shownRecord, context)
    expectDueDate(firstSight, shownRecord, context)
    expectKey(firstSight, shownRecord, context)
  }
}

/** Expects that a charge shows the original amount that it showed first with the same revision. */
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
      `${exchange.operation?.id} shows the amount ${reaisOf(shown)} of ${withArticle(kind.name)}, and ${by.operation} shows ${reaisOf(expected)} with the same revision.`,
  )
}

/**
 * Expects that a charge shows the due date that it showed first with the same revision. Does nothing if one of
 * the two is missing, or if they are written in different ways.
 */
function expectDueDate(
  { by, dueDate }: FirstSight,
  { kind, fields }: ShownRecord,
  { exchange, report }: RuleContext,
): void {
  const shown = stringAt(fields.calendar, '/due_date')
  const comparison = compareDueDates(shown, dueDate)
  if (comparison === 'unknown') return

  report.expect(
    comparison === 'same',
    {
      evidence: exchange,
      cites: citeEarlier(by, `${by.operation} shows the due date ${dueDate}`),
      about: 'due date of charge',
    },
    () =>
      `${exchange.operation?.id} shows the due date ${shown} of ${withArticle(kind.name)}, and ${by.operation} shows ${dueDate} with the same revision.`,
  )
}

/**
 * Expects that a charge shows the key that it showed first with the same revision. Does nothing if one of the
 * two is missing or masked.
 */
function expectKey(
  { by, dictKey }: FirstSight,
  { kind, fields }: ShownRecord,
  { exchange, report }: RuleContext,
): void {
  const comparison = compareShownKeys(stringAt(fields, '/dict_key'), dictKey)
  if (comparison === 'unknown') return

  report.expect(
    comparison === 'same',
    {
      evidence: exchange,
      cites: citeEarlier(by, `${by.operation} shows another key`),
      about: 'key of charge',
    },
    () =>
      `${exchange.operation?.id} shows another key of ${withArticle(kind.name)} than ${by.operation}, with the same revision.`,
  )
}
