/** The lengths of a CPF and of a CNPJ. */
const LENGTHS = [11, 14]

/**
 * Whether two tax IDs, of which each may be masked by stars, can be those of one owner; undefined
 * if they cannot be compared.
 */
export function isSameTaxId(one: string, other: string): boolean | undefined {
  const first = charactersOf(one)
  const second = charactersOf(other)
  const areWhole = LENGTHS.includes(first.length) && LENGTHS.includes(second.length)
  if (!areWhole) return undefined
  if (first.length !== second.length) return false

  const isHidden = (index: number) => first[index] === '*' || second[index] === '*'
  const compared = [...first.keys()].filter((index) => !isHidden(index))
  if (compared.length === 0) return undefined
  return compared.every((index) => first[index] === second[index])
}

export function isMaskedTaxId(taxId: string): boolean {
  return taxId.includes('*')
}

/** The letters, digits and stars, without what people write between them. */
function charactersOf(taxId: string): string[] {
  return [...taxId.replaceAll(/[^\p{L}\d*]/gu, '')]
}
