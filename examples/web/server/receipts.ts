import type { Payment as Credit, TransferData } from '@partner-payments/client'
import type { Party, Receipt } from '../shared/payment.ts'

/** The receipt of a settled transfer of ours. */
export function receiptOf(transfer: TransferData): Receipt {
  return {
    amount: transfer.amount,
    settled_at: transfer.settled_at,
    end_to_end_id: transfer.end_to_end_id,
    payer: partyOf(transfer.payer),
    payee: partyOf(transfer.beneficiary),
    tx_id: transfer.tx_id,
    message: transfer.description,
  }
}

/** What we know of a payment that we received. It is for ourselves, so its CPF is whole. */
export function creditOf(
  { amount, paid_at, end_to_end_id, payer }: Credit,
  { tx_id, message }: Pick<Receipt, 'tx_id' | 'message'>,
): Receipt {
  return {
    amount,
    settled_at: paid_at,
    end_to_end_id,
    payer: { name: payer.name, document: payer.tax_id, ispb: '' },
    payee: null,
    tx_id,
    message,
  }
}

function partyOf({ name, tax_id, ispb }: TransferData['payer']): Party {
  return { name, document: maskedTaxId(tax_id), ispb }
}

/** Shows the six middle digits of a CPF, as the service does for a payee, and a whole CNPJ. */
function maskedTaxId(tax_id: string): string {
  const isCpf = /^\d{11}$/.test(tax_id)
  if (!isCpf) return tax_id
  return `***.${tax_id.slice(3, 6)}.${tax_id.slice(6, 9)}-**`
}
