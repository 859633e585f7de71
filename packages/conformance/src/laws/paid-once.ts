import type { Law } from '../law.ts'
import { CHARGING, charge, chargesOf, isSuccess, payer, transfer } from '../run/payments.ts'
import type { Scene } from '../run/scene.ts'

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
    for (const create of chargesOf(scene)) await paidAgain(scene, create)
  },
}

async function paidAgain(scene: Scene, create: Parameters<typeof charge>[1]): Promise<void> {
  const made = await charge(scene, create)
  if (!made) return scene.masked()
  const first = await transfer(scene, made.pay, payer(scene))
  if (!isSuccess(first)) return scene.masked()
  const again = await transfer(scene, made.pay, payer(scene))
  scene.expect(
    again,
    isSuccess(again) ? 'Expected a charge that was paid to be refused, and it was paid again.' : undefined,
  )
  const other = await charge(scene, create)
  if (!other) return
  const all = await Promise.all(Array.from({ length: 8 }, () => transfer(scene, other.pay, payer(scene))))
  const count = all.filter(isSuccess).length
  scene.expect(all[0] ?? first, count <= 1 ? undefined : `Expected 1 of 8 at once to pay, ${count} did.`, {
    about: 'at once',
  })
}
