import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { isSuccess, PAYING, transfer, transferToKey } from '../run/payments.ts'

export const amountZeroRefused: Law = {
  id: 'amount-zero-refused',
  phase: 'lifecycles',
  question: 'bounds',
  needs: PAYING,
  stateful: true,
  atStake: true,
  title: 'A transfer of nothing, or of more than there is, is refused.',
  advice: 'Refuse an amount of zero, and one above the balance, before any money moves.',
  run: async (scene) => {
    for (const amount of ['0.00', '9999999999.99']) {
      const input = await transferToKey(scene)
      if (!input) return scene.masked()
      const exchange = await transfer(scene, { body: { ...nodeOf(input.body), amount } })
      scene.expect(
        exchange,
        isSuccess(exchange)
          ? `Expected a transfer of ${amount} to be refused, and it was accepted.`
          : undefined,
        { about: amount },
      )
    }
  },
}
