import type { Law } from '../law.ts'
import { DELIVERING, delivered, place, register } from '../run/deliveries.ts'
import { nodeOf } from '../run/document.ts'
import { jsonIn } from '../run/exchange.ts'
import { CHARGING, charge, isSuccess, payer, transfer } from '../run/payments.ts'

const PAID = 'qrcode.paid'
/** Milliseconds that the settlement may take, before its event. */
const SETTLED = 4_000

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
    const [delivery] = await delivered(registered.inbox, made.created, SETTLED + registered.inbox.patienceMs)
    const { type, data } = nodeOf(jsonIn(delivery?.text ?? ''))
    const isTold = type === PAID && nodeOf(data).status === 'CONCLUIDA'
    const message = `Expected ${PAID} with the code as CONCLUIDA after its payment, got ${type ?? 'nothing'}.`
    scene.expect(paid, isTold ? undefined : message, { ...place(scene), operation: 'createTransfer' })
  },
}
