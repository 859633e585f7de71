import { nodeOf } from '../contract/document.ts'
import { placeOfMember } from '../contract/place-of-member.ts'
import type { Law } from '../law.ts'
import { centavosOf } from '../payments/centavos.ts'
import { isSuccess } from '../run/scene.ts'

/** original - deduction - discount + interest + fine, in exact decimals. */
export const finalAmountAddsUp: Law = {
  id: 'final-amount-adds-up',
  phase: 'every answer',
  question: 'final-amount',
  isOurs: true,
  atStake: true,
  title: 'The final amount of a checked code is what its parts come to.',
  advice: 'Compute it from the parts that are shown, in centavos.',
  everyAnswer: (exchange, contract) => {
    const body = nodeOf(exchange.body)
    if (!isSuccess(exchange) || typeof body.final_amount !== 'string') return undefined
    const [original, deduction, discount, interest, fine, final] = PARTS.map((name) => centavosOf(body[name]))
    if (original === undefined) return undefined
    const sum = original - (deduction ?? 0n) - (discount ?? 0n) + (interest ?? 0n) + (fine ?? 0n)
    if (sum === final) return []
    const message =
      'Expected final_amount to be original - deduction - discount + interest + fine, got another.'
    return [
      {
        operation: exchange.view?.id,
        contract: placeOfMember(contract, exchange, 'final_amount'),
        message,
      },
    ]
  },
}

const PARTS = ['original_amount', 'deduction', 'discount', 'interest', 'fine', 'final_amount']
