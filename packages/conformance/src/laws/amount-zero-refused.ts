import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { likePaid, PAYING, transfer } from '../run/payments.ts'
import { expectRefusal } from '../run/refusal.ts'

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
    const input = await likePaid(scene)
    if (!input) return scene.masked()
    const exchange = await transfer(scene, { body: { ...nodeOf(input.body), amount: '0.00' } })
    expectRefusal(scene, exchange, 'Expected a transfer of nothing to be refused, and it was accepted.')
  },
}
