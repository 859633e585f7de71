import type { Law } from '../law.ts'
import { isSuccess, PAYING, transfer, transferToKey } from '../run/payments.ts'

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
    scene.expect(
      again,
      isSuccess(again) ? 'Expected a used initiation_id to be refused, and it paid again.' : undefined,
    )
    const other = await transferToKey(scene)
    if (!other) return
    const all = await Promise.all(Array.from({ length: 8 }, () => transfer(scene, other)))
    const count = all.filter(isSuccess).length
    scene.expect(all[0] ?? first, count <= 1 ? undefined : `Expected 1 of 8 at once to pay, ${count} did.`, {
      about: 'at once',
    })
  },
}
