import { isSuccess, type Scene } from '../../../engine/context.ts'
import type { Law } from '../../../engine/rule.ts'
import { nodeOf } from '../../../model/document.ts'
import { jsonIn } from '../../../transport/exchange.ts'
import type { Delivery } from '../../../transport/receiver.ts'
import { PAYING, transfer, transferToKey, type Way, waysToPay } from '../payments.ts'
import { about, DELIVERING, delivered, idsOf, place, type Registered, register, SILENCE } from './helpers.ts'

/** Milliseconds that the settlement may take, before its event. */
const SETTLED = 4_000

export const deliveryOfTransfers: Law = {
  id: 'delivery-of-transfers',
  phase: 'deliveries',
  question: 'event-kinds',
  needs: [...DELIVERING, ...PAYING],
  stateful: true,
  atStake: true,
  title:
    'A transfer that ends is told, once, with the record as it is then: by key or by code, of a customer too.',
  advice: 'Write the event in the transaction that settles or rejects the transfer.',
  run: async (scene) => {
    const ways: Told[] = [...waysToPay(scene)]
    if (scene.identities.has('customer'))
      ways.push({ words: 'key of a customer', who: 'customer', made: () => transferToKey(scene, 'customer') })
    const registered = await register(scene, { type: 'transfer' })
    if (!registered) return scene.masked()
    await scene.each(ways, (way) => tryWay(scene, registered, way))
  },
}

/** A way to pay, which a customer goes too. */
interface Told extends Omit<Way, 'words'> {
  readonly words: Way['words'] | 'key of a customer'
}

/** What a customer pays is told to the partner who acts for it. */
async function tryWay(scene: Scene, { inbox }: Registered, { words, who, made }: Told): Promise<void> {
  const input = await made()
  const paid = input && (await transfer(scene, input, who))
  if (!paid || !isSuccess(paid)) return scene.masked()
  const where = { ...place(scene), operation: 'createTransfer', about: words }
  const [delivery] = await delivered(scene, inbox, paid, SETTLED + inbox.patienceMs)
  if (!delivery)
    return void scene.expect(
      paid,
      `Expected a delivery when the transfer by ${words} ended, and none came.`,
      where,
    )
  scene.expect(paid, departure(delivery), where)
  await scene.pause(SILENCE)
  const { length } = idsOf(about(inbox.deliveries, paid))
  const message = `Expected one event when the transfer by ${words} ended, got ${length}.`
  scene.expect(paid, length > 1 ? message : undefined, { ...where, about: `${words} once` })
}

/** The event is named after the state of the record that it shows. */
function departure({ text }: Delivery): string | undefined {
  const { type, data } = nodeOf(jsonIn(text))
  const { status } = nodeOf(data)
  const isRight = type === `transfer.${status}`
  return isRight ? undefined : `Expected the event of a transfer that is ${status}, got ${type}.`
}
