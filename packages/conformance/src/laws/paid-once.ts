import type { Law } from '../law.ts'
import { CHARGING, charge, isSuccess, payer, transfer } from '../run/payments.ts'

export const paidOnce: Law = {
  id: 'paid-once',
  phase: 'lifecycles',
  question: 'transfer-repeat',
  needs: CHARGING,
  stateful: true,
  atStake: true,
  title: 'A dynamic code is paid once: not a second time, and not twice at once.',
  advice: 'Claim the charge in the transaction that sets the money aside.',
  run: async (scene) => {
    const made = await charge(scene)
    if (!made) return scene.masked()
    const first = await transfer(scene, made.pay, payer(scene))
    if (!isSuccess(first)) return scene.masked()
    const again = await transfer(scene, made.pay, payer(scene))
    scene.expect(
      again,
      isSuccess(again) ? 'Expected a charge that was paid to be refused, and it was paid again.' : undefined,
    )
    const other = await charge(scene)
    if (!other) return
    const all = await Promise.all(Array.from({ length: 8 }, () => transfer(scene, other.pay, payer(scene))))
    const count = all.filter(isSuccess).length
    scene.expect(all[0] ?? first, count <= 1 ? undefined : `Expected 1 of 8 at once to pay, ${count} did.`, {
      about: 'at once',
    })
  },
}
