import { isSuccess } from '../../engine/context.ts'
import type { Law } from '../../engine/rule.ts'
import { type Json, wordsOf } from '../../generate/schema/index.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange } from '../../transport/exchange.ts'
import { baseOf, changedAs, withBase } from '../valid-requests.ts'

/** Valid neighbours of an accepted request, one change each. A rule of the business may refuse one, the schema may not. */
export const boundaryAccepted: Law = {
  id: 'boundary-accepted',
  phase: 'examples and boundaries',
  title:
    'What the schema of a request allows is not refused as breaking it, up to the very edge of each keyword.',
  advice: 'Accept the value, or narrow the schema of the contract.',
  run: (scene) =>
    withBase(scene, async (view, base) => {
      const { bodyPointer } = view
      if (bodyPointer === undefined) return
      await scene.each(scene.schemas.boundaries(bodyPointer, base.body as Json), async ({ body, change }) => {
        const input = await scene.maker.refreshed(view, { ...base, body }, 'partner')
        if (!input) return scene.masked()
        const exchange = await scene.send(view, changedAs(input, body, change.pointer))
        if (isSuccess(exchange)) return scene.kept(change.contract, change.keyword, change.question)
        if (!isAboutForm(exchange, change)) return scene.masked()
        const message = `${wordsOf(change)} was refused (${exchange.reply.status}); the contract allows it.`
        scene.expect(exchange, message, {
          contract: change.contract,
          about: change.keyword,
          question: change.question,
        })
      })
      await baseOf(scene, view)
    }),
}

interface Changed {
  readonly pointer: string
  readonly keyword: string
}

/** Whether it was refused for its form: with 400, or for leaving out a member that may be left out. */
function isAboutForm({ reply, body }: Exchange, { pointer }: Changed): boolean {
  if (reply.status === 400) return true
  const errors = Object.values(nodeOf(nodeOf(body).errors)).map((it) => nodeOf(it))
  return (
    reply.status === 422 &&
    errors.some((it) => it.pointer === pointer && /required|type|length/i.test(String(it.code)))
  )
}
