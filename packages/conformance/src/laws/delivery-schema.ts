import type { Law } from '../law.ts'
import { DELIVERING, oneDelivery, place } from '../run/deliveries.ts'
import { nodeOf } from '../run/document.ts'

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
    const { headers, text } = it.delivery
    const body = bodyOf(text)
    const name = String(nodeOf(body).type)
    const found = scene.contract.validator.validateDelivery({ name, headers, body })
    if (found.length === 0) return scene.held()
    for (const { pointer, contract, keyword, message, question } of found)
      scene.expect(it.cancelled, `A delivery at "${pointer}": ${message}.`, {
        ...place(scene),
        contract,
        about: keyword,
        ...(question && { question }),
      })
  },
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
