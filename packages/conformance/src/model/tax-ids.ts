/** The lengths of a CPF and of a CNPJ. */
const LENGTHS = [11, 14]

/**
 * Whether two tax IDs can be those of one owner. Each may be masked: `***.456.789-**`. Undefined if
 * they cannot be compared, since one has another length than tax IDs, or no digit is shown in both.
 */
export function isSameTaxId(one: string, other: string): boolean | undefined {
  const first = listCharacters(one)
  const second = listCharacters(other)
  const haveKnownLengths = LENGTHS.includes(first.length) && LENGTHS.includes(second.length)
  if (!haveKnownLengths) return undefined
  if (first.length !== second.length) return false

  const isHidden = (index: number) => first[index] === '*' || second[index] === '*'
  const shownInBoth = [...first.keys()].filter((index) => !isHidden(index))
  if (shownInBoth.length === 0) return undefined
  return shownInBoth.every((index) => first[index] === second[index])
}

export function isMaskedTaxId(taxId: string): boolean {
  return taxId.includes('*')
}

/** The letters, digits and stars, without what people write between them. */
function listCharacters(taxId: string): string[] {
  return [...taxId.replaceAll(/[^\p{L}\d*]/gu, '')]
}
