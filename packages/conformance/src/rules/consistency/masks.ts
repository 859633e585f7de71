import { leavesOf, stringAt } from '../../contract/json.ts'
import { compareTaxIds, isMaskedTaxId } from '../../model/tax-ids.ts'
import { citeEarlier, type RuleContext } from '../rule.ts'

/**
 * Expects that a look-up whose response masks the document of an owner shows it whole nowhere else. Where
 * the key that is looked up is this document, there is nothing to hide.
 */
export function expectMaskedEverywhere({ exchange, report }: RuleContext): void {
  const { operation, outcome, requestBody, responseBody, trace } = exchange
  if (operation?.id !== 'checkKey' || outcome !== 'accepted') return

  const document = stringAt(responseBody, '/owner_document') ?? ''
  const key = stringAt(requestBody, '/dict_key') ?? ''
  if (!isMaskedTaxId(document) || compareTaxIds(document, key) === 'same') return

  const [pointer] =
    leavesOf(responseBody).find(([at, leaf]) => {
      const text = String(leaf)
      const isWhole = !MAY_BE_TAX_IDS.has(at) && !isMaskedTaxId(text)
      return isWhole && compareTaxIds(document, text) === 'same'
    }) ?? []
  report.expect(
    pointer === undefined,
    {
      evidence: exchange,
      cites: citeEarlier(trace, 'checkKey masks the document of the owner'),
      about: 'masked',
    },
    () => `checkKey masks the document of an owner, and shows it whole at ${pointer}.`,
  )
}

/** Declared fields that somebody who has no other number of their own may fill with their tax ID. */
const MAY_BE_TAX_IDS: ReadonlySet<string> = new Set(['/dict_key', '/account_number'])
