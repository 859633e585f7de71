/**
 * A tax ID as a payer sees it: a CPF shows only its six middle digits, a CNPJ is shown whole. This is
 * the assumption to the open question `owner-masking`.
 *
 * DICT operational manual, section 8.5.
 */
export function maskedTaxId(tax_id: string): string {
  const isCpf = tax_id.length === 11
  return isCpf ? `***.${tax_id.slice(3, 6)}.${tax_id.slice(6, 9)}-**` : tax_id
}

/** Whether a tax ID that was sent, whole or masked, is that of the owner. */
export function isTaxIdOf(sent: string, owner: string): boolean {
  const isMasked = sent.startsWith('*')
  return sent === (isMasked ? maskedTaxId(owner) : owner)
}
