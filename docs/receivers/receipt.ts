import type { TransferData } from '@partner-payments/client'

/** The lines of a payer's receipt. `transfer` is `data` of the event transfer.settled. */
export function receiptLines(transfer: TransferData): string[] {
  const { amount, settled_at, payer, beneficiary, end_to_end_id, description, tx_id } = transfer
  const lines = [
    `Amount: R$ ${amount}`,
    `Date and time: ${brasilia.format(new Date(settled_at))} (Brasília)`,
    `From: ${partyOf(payer)}`,
    `To: ${partyOf(beneficiary)}`,
    `End-to-end id: ${end_to_end_id}`,
  ]
  if (description) lines.push(`Message: ${description}`)
  if (tx_id) lines.push(`Txid: ${tx_id}`)
  return lines
}

const brasilia = new Intl.DateTimeFormat('en', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'medium',
  timeStyle: 'medium',
})

type Party = TransferData['payer']

/** A real receipt shows the name of the institution. */
function partyOf({ name, tax_id, ispb }: Party): string {
  return `${name}, ${maskedTaxId(tax_id)}, ISPB ${ispb}`
}

/** Hides the first three and the last two digits of a CPF that is whole. */
function maskedTaxId(tax_id: string): string {
  const isWholeCpf = /^\d{11}$/.test(tax_id)
  if (!isWholeCpf) return tax_id
  return `***.${tax_id.slice(3, 6)}.${tax_id.slice(6, 9)}-**`
}
