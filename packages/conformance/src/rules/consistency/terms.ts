import { stringAt } from '../../contract/json.ts'
import type { ShownRecord } from '../../contract/kinds.ts'
import { centavosOf, reaisOf } from '../../model/amounts.ts'
import type { FirstSight } from '../../model/consistency.ts'
import { citeEarlier, type RuleContext, withArticle } from '../rule.ts'
import { compareShownKeys } from './checks.ts'

/**
 * Expects that a charge keeps the amount and the key that the service showed first.
 *
 * The contract has no operation that changes them. The owner may still change them elsewhere, as the Pix
 * API allows, and no recording shows that; but each change raises the revision. So only a response is
 * judged whose revision says that there was none.
 */
export function expectConsistentTerms(context: RuleContext): void {
  const { exchange, model } = context
  if (exchange.outcome !== 'accepted') return

  for (const shown of exchange.records) {
    const first = model.consistency.findFirstSight(shown.id)
    if (!first || mayHaveChanged(first, shown)) continue

    expectOriginalAmount(first, shown, context)
    expectKey(first, shown, context)
  }
}

/**
 * Whether somebody may have changed a charge since its first sight. A new status is one change; a revision
 * that does not count it says nothing.
 */
function mayHaveChanged(first: FirstSight, { fields }: ShownRecord): boolean {
  const expectedChanges = fields.status === first.status ? 0 : 1
  return fields.revision !== first.revision + expectedChanges
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
      `${exchange.operation?.id} shows ${reaisOf(shown)} as the amount of ${withArticle(kind.name)} of which ${by.operation} shows ${reaisOf(expected)}, and no change since.`,
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
      `${exchange.operation?.id} shows another key of ${withArticle(kind.name)} than ${by.operation}, and no change since.`,
  )
}
