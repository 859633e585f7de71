import { isSuccess, type Scene } from '../../engine/context.ts'
import { expectRefusal } from '../../engine/refusal.ts'
import type { Law } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import { CHARGING, type charge, chargesOf, payer, paysOnce, transfer, transferToCharge } from './payments.ts'

export const paidOnce: Law = {
  id: 'paid-once',
  phase: 'lifecycles',
  question: 'transfer-repeat',
  needs: CHARGING,
  stateful: true,
  atStake: true,
  title:
    'A dynamic code is paid once: not a second time, and not twice at once; a static one as often as it is asked.',
  advice: 'Claim the charge in the transaction that sets the money aside.',
  run: async (scene) => {
    for (const create of chargesOf(scene)) await paidAgain(scene, create)
    if (scene.contract.has('createStaticQrCode')) await paidOften(scene)
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

/** A static code is no charge: whoever has it may pay it, and pay it again. */
async function paidOften(scene: Scene): Promise<void> {
  const created = await scene.accepted('createStaticQrCode', { set: { '/amount': '0.03' } })
  const { emv } = nodeOf(created?.body)
  const input = { body: { type: 'emv', emv, amount: '0.03' } }
  const first = created && (await transfer(scene, input, payer(scene)))
  if (!first || !isSuccess(first)) return scene.masked()
  const again = await transfer(scene, input, payer(scene))
  const message = `Expected a static code to be paid again, got ${again.reply.status}.`
  scene.expect(again, isSuccess(again) ? undefined : message, { about: 'static' })
}
