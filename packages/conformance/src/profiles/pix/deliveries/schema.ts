import type { Scene } from '../../../engine/context.ts'
import type { Law } from '../../../engine/rule.ts'
import { nodeOf } from '../../../model/document.ts'
import { type Exchange, jsonIn } from '../../../transport/exchange.ts'
import type { Delivery } from '../../../transport/receiver.ts'
import { PAYING } from '../payments.ts'
import { DELIVERING, oneDelivery, place, transferTold } from './helpers.ts'

export const deliverySchema: Law = {
  id: 'delivery-schema',
  phase: 'deliveries',
  question: 'event-kinds',
  needs: DELIVERING,
  stateful: true,
  title: 'The body and the headers of a delivery are as the contract says.',
  advice: 'Send the event as the contract says, or change the contract.',
  run: async (scene) => {
    const it = await oneDelivery(scene)
    if (!it?.delivery) return scene.masked()
    judge(scene, it.cancelled, it.delivery)
    const told = scene.contract.has(...PAYING) ? await transferTold(scene) : undefined
    if (told?.delivery) judge(scene, told.paid, told.delivery)
  },
}

function judge(scene: Scene, exchange: Exchange, { headers, text }: Delivery): void {
  const body = jsonIn(text)
  const name = String(nodeOf(body).type)
  const found = scene.contract.validator.validateDelivery({ name, headers, body })
  if (found.length === 0) scene.held()
  for (const { pointer, contract, keyword, message, question } of found)
    scene.expect(exchange, `A delivery at "${pointer}": ${message}.`, {
      ...place(scene),
      contract,
      about: keyword,
      ...(question && { question }),
    })
}
