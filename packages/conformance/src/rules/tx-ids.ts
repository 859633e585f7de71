import { type Comparison, isFilled } from '../contract/json.ts'
import { normalizeLetters } from '../model/letters.ts'

/**
 * Compares the `tx_id` that two places show of one payment code. Unknown if one of them shows none, or if one is
 * the beginning of the other: a static code holds at most 25 characters.
 *
 * @example
 * compareTxIds('PEDIDO1003', 'pedido-1003') // 'same'
 * compareTxIds('PEDIDO1003', '***') // 'unknown'
 */
export function compareTxIds(one = '', other = ''): Comparison {
  if (!isWholeTxId(one) || !isWholeTxId(other)) return 'unknown'

  const plainOne = normalizeLetters(one)
  const plainOther = normalizeLetters(other)
  if (plainOne === plainOther) return 'same'
  const isShortened = plainOne.startsWith(plainOther) || plainOther.startsWith(plainOne)
  return isShortened ? 'unknown' : 'different'
}

/**
 * Whether a string is a `tx_id`, without stars in place of what a service hides. `***` stands in a static code for none
 * (Manual de Padrões para Iniciação do Pix 2.10.0, object 62-05).
 */
function isWholeTxId(text: string): boolean {
  return isFilled(text) && !text.includes('*') && normalizeLetters(text) !== ''
}
