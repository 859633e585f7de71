import type { Law } from '../law.ts'
import { DELIVERING, delivered, place, type Registered, register } from '../run/deliveries.ts'
import { nodeOf } from '../run/document.ts'
import { jsonIn } from '../run/exchange.ts'
import { CHARGING, charge, chargesOf, isSuccess, payer, transfer } from '../run/payments.ts'
import type { Scene } from '../run/scene.ts'

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
  const patience = SETTLED + inbox.patienceMs
  const [delivery] = await delivered(inbox, made.created, 1, patience)
  const { type, data } = nodeOf(jsonIn(delivery?.text ?? ''))
  const isTold = type === PAID && nodeOf(data).status === 'CONCLUIDA'
  const message = `Expected ${PAID} with the code as CONCLUIDA after its payment, got ${type ?? 'nothing'}.`
  const at = { ...place(scene), operation: 'createTransfer', about: create }
  scene.expect(paid, isTold ? undefined : message, at)
}
