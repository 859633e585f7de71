import { nodeOf } from '../contract/document.ts'
import type { Law } from '../law.ts'
import { PAYING, transfer, transferToKey } from '../payments/payments.ts'
import { isSuccess } from '../run/scene.ts'
import type { Exchange } from '../wire/exchange.ts'

/** Transfers that are compared, some of them of one minute. */
const MADE = 3

export const endToEndIdUnique: Law = {
  id: 'end-to-end-id-unique',
  phase: 'lifecycles',
  question: 'end-to-end-id',
  needs: PAYING,
  stateful: true,
  atStake: true,
  title: 'No two transfers have one end_to_end_id.',
  advice: 'Draw its last 11 characters at random for each transfer, and let the store keep it unique.',
  run: async (scene) => {
    const paid: Exchange[] = []
    for (let i = 0; i < MADE; i++) {
      const input = await transferToKey(scene)
      const exchange = input && (await transfer(scene, input))
      if (exchange && isSuccess(exchange)) paid.push(exchange)
    }
    const [last] = paid.toReversed()
    if (!last || paid.length < 2) return scene.masked()
    const ids = paid.map(({ body }) => nodeOf(nodeOf(body).data).end_to_end_id)
    const message = 'Expected an end_to_end_id of its own for each transfer, got one twice.'
    scene.expect(last, new Set(ids).size < ids.length ? message : undefined)
  },
}
