import { isSuccess, type Scene } from '../../../engine/context.ts'
import type { Law } from '../../../engine/rule.ts'
import { nodeOf } from '../../../model/document.ts'
import { jsonIn } from '../../../transport/exchange.ts'
import { CHARGING, charge, chargesOf, payer, transfer } from '../payments.ts'
import { listedStatusOf, PAID } from '../settlement.ts'
import { DELIVERING, delivered, place, type Registered, register } from './helpers.ts'

const TOLD = 'qrcode.paid'

export const deliveryOfPayments: Law = {
  id: 'delivery-of-payments',
  phase: 'deliveries',
  question: 'event-kinds',
  needs: [...DELIVERING, ...CHARGING],
  stateful: true,
  atStake: true,
  title: 'That a QR code of either kind was paid is told, with the code as it is then.',
  advice: 'Write the event in the transaction that settles the transfer.',
  run: async (scene) => {
    const registered = await register(scene, { type: 'qrcode' })
    if (!registered) return scene.masked()
    await scene.each(chargesOf(scene), (create) => tryKind(scene, registered, create))
  },
}

async function tryKind(
  scene: Scene,
  { inbox }: Registered,
  create: ReturnType<typeof chargesOf>[number],
): Promise<void> {
  const made = await charge(scene, create)
  const paid = made && (await transfer(scene, made.pay, payer(scene)))
  if (!made || !paid || !isSuccess(paid)) return scene.masked()
  const status = (await listedStatusOf(scene, made.created)) ?? PAID
  // What has not settled yet has nothing to tell.
  if (status !== PAID) return scene.masked('the payment did not settle in time')
  const [delivery] = await delivered(scene, inbox, made.created)
  const { type, data } = nodeOf(jsonIn(delivery?.text ?? ''))
  const isTold = type === TOLD && nodeOf(data).status === PAID
  const message = `Expected ${TOLD} with the code as ${PAID} after its payment, got ${type ?? 'nothing'}.`
  const at = { ...place(scene), operation: 'createTransfer', about: create }
  scene.expect(paid, isTold ? undefined : message, at)
}
