import type { Comparison } from '../contract/json.ts'

/** The lengths of a CPF, the tax ID of a person, and of a CNPJ, that of a company. */
const LENGTH_OF_CPF = 11
const LENGTH_OF_CNPJ = 14
const LENGTHS = [LENGTH_OF_CPF, LENGTH_OF_CNPJ]

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

/**
 * Whether two texts at a place are, or may be, one tax ID that is masked in one of them: `***.444.777-**` and
 * `11144477735`. False without a mask, or if any digit differs.
 *
 * @param pointer Only a place whose name says so has a tax ID: `/payer/tax_id`.
 */
export function isSameButMasked(pointer: string, one: unknown, other: unknown): boolean {
  if (!pointer.endsWith('/tax_id')) return false
  if (typeof one !== 'string' || typeof other !== 'string') return false

  const isAnyMasked = isMaskedTaxId(one) || isMaskedTaxId(other)
  return isAnyMasked && compareTaxIds(one, other) !== 'different'
}

/** Whether a tax ID, which may be masked, is that of a company. */
export function isTaxIdOfCompany(taxId: string): boolean {
  return listCharacters(taxId).length === LENGTH_OF_CNPJ
}

/** Whether somebody hides a part of a tax ID. */
export function isMaskedTaxId(taxId: string): boolean {
  return taxId.includes('*')
}

/** The letters, digits and stars, without what people write between them. */
function listCharacters(taxId: string): string[] {
  return [...taxId.replaceAll(/[^\p{L}\d*]/gu, '')]
}
