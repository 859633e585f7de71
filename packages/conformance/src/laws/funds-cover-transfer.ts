import { nodeOf } from '../contract/document.ts'
import { expectRefusal } from '../judging/refusal.ts'
import type { Law } from '../law.ts'
import { likePaid, PAYING, transfer } from '../payments/payments.ts'

export const fundsCoverTransfer: Law = {
  id: 'funds-cover-transfer',
  phase: 'lifecycles',
  question: 'errors',
  needs: PAYING,
  stateful: true,
  atStake: true,
  title: 'A transfer of more than the account holds is refused.',
  advice: 'Let the balance decide, in the transaction that sets the money aside.',
  run: async (scene) => {
    const input = await likePaid(scene)
    if (!input) return scene.masked()
    const exchange = await transfer(scene, { body: { ...nodeOf(input.body), amount: '9999999999.99' } })
    const message = 'Expected a transfer of ten thousand million to be refused, and it was accepted.'
    expectRefusal(scene, exchange, message)
  },
}
