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

  const wholeAt = findWholeDocument(document, responseBody)
  report.expect(
    wholeAt === undefined,
    {
      evidence: exchange,
      cites: citeEarlier(trace, 'checkKey masks the document of the owner'),
      about: 'masked',
    },
    () => `checkKey masks the document of an owner, and shows it whole at ${wholeAt}.`,
  )
}

/** Finds the pointer at which a response shows a masked document whole; undefined if there is none. */
function findWholeDocument(masked: string, responseBody: unknown): string | undefined {
  function isWholeDocument(leaf: unknown): boolean {
    const text = String(leaf)
    return !isMaskedTaxId(text) && compareTaxIds(masked, text) === 'same'
  }

  const leaves = leavesOf(responseBody, '', isWholeDocument)
  const pointers = leaves.map(([pointer]) => pointer)
  return pointers.find((pointer) => !MAY_BE_TAX_IDS.has(pointer))
}

/** Declared fields that may have the tax ID of the owner: the key, and a number made of it for the account. */
const MAY_BE_TAX_IDS: ReadonlySet<string> = new Set(['/dict_key', '/account_number'])
