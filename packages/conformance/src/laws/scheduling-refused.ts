import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { likePaid, PAYING, transfer } from '../run/payments.ts'
import { expectRefusal } from '../run/refusal.ts'

export const schedulingRefused: Law = {
  id: 'scheduling-refused',
  phase: 'lifecycles',
  question: 'transfer-scheduling',
  needs: PAYING,
  stateful: true,
  atStake: true,
  title: 'A transfer dated later is refused.',
  advice: 'Refuse it, or say in the contract that payments can be scheduled.',
  run: async (scene) => {
    const input = await likePaid(scene)
    if (!input) return scene.masked()
    const payment_date = scene.clock.day(3)
    const exchange = await transfer(scene, { body: { ...nodeOf(input.body), payment_date } })
    const message = 'Expected a transfer dated in three days to be refused, and it was accepted.'
    expectRefusal(scene, exchange, message)
  },
}
