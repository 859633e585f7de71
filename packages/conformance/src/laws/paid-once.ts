import type { Law } from '../law.ts'
import {
  CHARGING,
  type charge,
  chargesOf,
  payer,
  paysOnce,
  transfer,
  transferToCharge,
} from '../run/payments.ts'
import { expectRefusal } from '../run/refusal.ts'
import { isSuccess, type Scene } from '../run/scene.ts'

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
  const input = await transferToCharge(scene, create)
  if (!input) return scene.masked()
  const first = await transfer(scene, input, payer(scene))
  if (!isSuccess(first)) return scene.masked()
  const again = await transfer(scene, input, payer(scene))
  const message = 'Expected a charge that was paid to be refused, and it was paid again.'
  expectRefusal(scene, again, message, { also: [404] })
  const other = await transferToCharge(scene, create)
  if (!other) return scene.masked()
  await paysOnce(scene, () => transfer(scene, other, payer(scene)))
}
