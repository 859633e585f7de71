import type { Law } from '../law.ts'
import { PAYING, paysOnce, transfer, transferToKey } from '../run/payments.ts'
import { expectRefusal } from '../run/refusal.ts'
import { isSuccess } from '../run/scene.ts'

export const initiationSingleUse: Law = {
  id: 'single-use',
  phase: 'lifecycles',
  question: 'transfer-repeat',
  needs: PAYING,
  stateful: true,
  atStake: true,
  title: 'An initiation_id pays once: not a second time, and not twice at once.',
  advice: 'Use it up in the transaction that sets the money aside.',
  run: async (scene) => {
    const input = await transferToKey(scene)
    if (!input) return scene.masked()
    const first = await transfer(scene, input)
    if (!isSuccess(first)) return scene.masked()
    const again = await transfer(scene, input)
    const message = 'Expected a used initiation_id to be refused, and it paid again.'
    expectRefusal(scene, again, message, { also: [404] })
    const other = await transferToKey(scene)
    if (!other) return scene.masked()
    await paysOnce(scene, () => transfer(scene, other))
  },
}
