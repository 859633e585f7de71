import type { Law } from '../law.ts'
import { about, DELIVERING, place, register } from '../run/deliveries.ts'
import { isSuccess, PAYING, transfer, transferToKey } from '../run/payments.ts'
import type { Delivery } from '../run/receiver.ts'

/** The second attempt comes after 5 seconds, by our answer to `delivery`; a busy service may take a while longer. */
const PATIENCE = 12_000

export const deliveryRetried: Law = {
  id: 'delivery-retried',
  phase: 'deliveries',
  question: 'delivery',
  needs: [...DELIVERING, ...PAYING],
  stateful: true,
  title: 'A delivery that is answered 500 is sent again, with the same id and the same body.',
  advice: 'Try again on every answer but 2xx, by a schedule, with the id of the event.',
  run: async (scene) => {
    // Of transfers there are few, while other laws cancel QR codes at the same time.
    const registered = await register(scene, { type: 'transfer', answer: refusingFirst() })
    const input = registered && (await transferToKey(scene))
    const paid = input && (await transfer(scene, input))
    if (!registered || !paid || !isSuccess(paid)) return scene.masked()
    const [first, second] = await attempts(() => about(registered.inbox.deliveries, paid))
    if (!first) return scene.masked()
    const where = { ...place(scene), about: 'retry' }
    if (!second) return void scene.expect(paid, 'Expected a second attempt after 500, and none came.', where)
    const isSame = first.headers['webhook-id'] === second.headers['webhook-id'] && first.text === second.text
    const message = 'Expected the same id and body at the second attempt, got others.'
    scene.expect(paid, isSame ? undefined : message, { ...where, about: 'same' })
  },
}

/** Answers the first attempt of each event with 500. */
function refusingFirst(): (delivery: Delivery) => number {
  const seen = new Set<string | undefined>()
  return ({ headers }) => {
    const isSecond = seen.has(headers['webhook-id'])
    seen.add(headers['webhook-id'])
    return isSecond ? 204 : 500
  }
}

async function attempts(found: () => readonly Delivery[]): Promise<readonly Delivery[]> {
  const until = performance.now() + PATIENCE
  while (performance.now() < until && found().length < 2)
    await new Promise((resolve) => setTimeout(resolve, 50))
  return found()
}
