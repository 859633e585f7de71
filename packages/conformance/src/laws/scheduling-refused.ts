import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { isSuccess, PAYING, paysKeys, transfer, transferToKey } from '../run/payments.ts'

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
    const input = await transferToKey(scene)
    if (!input || !(await paysKeys(scene))) return scene.masked()
    const payment_date = scene.clock.day(3)
    const exchange = await transfer(scene, { body: { ...nodeOf(input.body), payment_date } })
    scene.expect(
      exchange,
      isSuccess(exchange)
        ? 'Expected a transfer dated in three days to be refused, and it was accepted.'
        : undefined,
    )
  },
}
