import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { isSuccess, PAYING, paysKeys, transfer, transferToKey } from '../run/payments.ts'

export const amountZeroRefused: Law = {
  id: 'amount-zero-refused',
  phase: 'lifecycles',
  question: 'bounds',
  needs: PAYING,
  stateful: true,
  atStake: true,
  title: 'A transfer of nothing is refused.',
  advice: 'Refuse an amount of zero before any money moves.',
  run: async (scene) => {
    const input = await transferToKey(scene)
    if (!input || !(await paysKeys(scene))) return scene.masked()
    const exchange = await transfer(scene, { body: { ...nodeOf(input.body), amount: '0.00' } })
    scene.expect(
      exchange,
      isSuccess(exchange) ? 'Expected a transfer of nothing to be refused, and it was accepted.' : undefined,
    )
  },
}
