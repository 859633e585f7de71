import type { Law } from '../law.ts'
import { sendTwin, withBase } from '../run/bases.ts'
import { isSuccess } from '../run/scene.ts'
import type { Json } from '../schema/index.ts'

/** Twins of an accepted request, each with one keyword of the schema broken. */
export const breakRefused: Law = {
  id: 'break-refused',
  phase: 'twins',
  title: 'A request that breaks one keyword of its schema is refused.',
  advice: 'Refuse the request with 400, or widen the schema of the contract.',
  run: (scene) =>
    withBase(scene, async (view, base) => {
      if (view.bodyPointer === undefined) return
      await scene.each(
        scene.schemas.breaks(view.bodyPointer, base.body as Json),
        async ({ body, change }) => {
          const exchange = await sendTwin(scene, view, { base, body, pointer: change.pointer })
          const { status } = exchange.reply
          if (status >= 500 || status === 0) return scene.passedOver(exchange)
          if (status === 400 || status === 415 || status === 422)
            return scene.refused(change.contract, change.keyword, change.question)
          if (!isSuccess(exchange)) return scene.masked()
          const message = `Expected ${change.note} at "${change.pointer}" to be refused, got ${status}.`
          scene.expect(exchange, message, {
            contract: change.contract,
            about: change.keyword,
            question: change.question,
          })
        },
      )
    }),
}
