import type { Comparison } from '../contract/json.ts'

/** The lengths of a CPF and of a CNPJ. */
const LENGTHS = [11, 14]

/**
 * Compares two tax IDs, each of which may be masked: `***.456.789-**`. Unknown if one is no tax ID by
 * its length, or if no digit is shown in both.
 */
export function compareTaxIds(one: string, other: string): Comparison {
  const first = listCharacters(one)
  const second = listCharacters(other)
  const areTaxIds = LENGTHS.includes(first.length) && LENGTHS.includes(second.length)
  if (!areTaxIds) return 'unknown'
  if (first.length !== second.length) return 'different'

  let isAnyCompared = false
  for (const [index, character] of first.entries()) {
    const otherCharacter = second[index]
    if (character === '*' || otherCharacter === '*') continue
    if (character !== otherCharacter) return 'different'
    isAnyCompared = true
  }
  return isAnyCompared ? 'same' : 'unknown'
}

export function isMaskedTaxId(taxId: string): boolean {
  return taxId.includes('*')
}

/** The letters, digits and stars, without what people write between them. */
function listCharacters(taxId: string): string[] {
  return [...taxId.replaceAll(/[^\p{L}\d*]/gu, '')]
}
