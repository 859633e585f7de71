import { formatCentavos } from '../money/centavos.ts'
import { MAGIC_AMOUNTS, magicKey, messageOf, REJECTIONS, type Rejection } from '../transfers/rejections.ts'

/** The keys and amounts that make a transfer be rejected, each with its reason. */
export function magic() {
  const codes = Object.keys(REJECTIONS) as Rejection[]
  return {
    keys: codes.map((code) => ({ dict_key: magicKey(code), ...rejection(code) })),
    amounts: [...MAGIC_AMOUNTS].map(([centavos, code]) => ({
      amount: formatCentavos(centavos),
      ...rejection(code),
    })),
  }
}

function rejection(code: Rejection) {
  return { code, rejection_message: messageOf(code) }
}
