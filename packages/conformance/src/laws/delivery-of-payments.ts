import type { Law } from '../law.ts'
import { DELIVERING, delivered, place, register } from '../run/deliveries.ts'
import { nodeOf } from '../run/document.ts'
import { jsonIn } from '../run/exchange.ts'
import { CHARGING, charge, payer, transfer } from '../run/payments.ts'
import { isSuccess } from '../run/scene.ts'
import { listedStatusOf, PAID } from '../run/settlement.ts'

const TOLD = 'qrcode.paid'

export const deliveryOfPayments: Law = {
  id: 'delivery-of-payments',
  phase: 'deliveries',
  question: 'event-kinds',
  needs: [...DELIVERING, ...CHARGING],
  stateful: true,
  atStake: true,
  title: 'That a QR code was paid is told, with the code as it is then.',
  advice: 'Write the event in the transaction that settles the transfer.',
  run: async (scene) => {
    const registered = await register(scene, { type: 'qrcode' })
    const made = registered && (await charge(scene))
    const paid = made && (await transfer(scene, made.pay, payer(scene)))
    if (!registered || !made || !paid || !isSuccess(paid)) return scene.masked()
    const status = (await listedStatusOf(scene, made.created)) ?? PAID
    // What has not settled yet has nothing to tell.
    if (status !== PAID) return scene.masked('the payment did not settle in time')
    const [delivery] = await delivered(scene, registered.inbox, made.created)
    const { type, data } = nodeOf(jsonIn(delivery?.text ?? ''))
    const isTold = type === TOLD && nodeOf(data).status === PAID
    const message = `Expected ${TOLD} with the code as ${PAID} after its payment, got ${type ?? 'nothing'}.`
    scene.expect(paid, isTold ? undefined : message, { ...place(scene), operation: 'createTransfer' })
  },
}
