import type { Rule } from '../../engine/rule.ts'
import { type Json, wordsOf } from '../../generate/schema/index.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import { baseOf, changedAs, withBase } from '../valid-requests.ts'

/** Valid neighbours of an accepted request, one change each. A rule of the business may refuse one, the schema may not. */
export const boundaryAccepted: Rule = {
  id: 'boundary-accepted',
  phase: 'valid requests',
  cites: 'contract',
  title:
    'What the schema of a request allows is not refused as breaking it, up to the very edge of each keyword.',
  advice: 'Accept the value, or narrow the schema of the contract.',
  run: (context) =>
    withBase(context, async (view, base) => {
      const { bodyPointer } = view
      if (bodyPointer === undefined) return
      await context.each(
        context.schemas.boundaries(bodyPointer, base.body as Json),
        async ({ body, change }) => {
          const input = await context.builder.refreshed(view, { ...base, body }, 'partner')
          if (!input) return context.inconclusive()
          const exchange = await context.send(view, changedAs(input, body, change.pointer))
          if (isSuccess(exchange)) return context.kept(change.contract, change.keyword, change.question)
          if (!isAboutForm(exchange, change)) return context.inconclusive()
          const message = `${wordsOf(change)} was refused (${exchange.response.status}); the contract allows it.`
          context.expect(exchange, message, {
            contract: change.contract,
            about: change.keyword,
            question: change.question,
          })
        },
      )
      await baseOf(context, view)
    }),
}

interface Changed {
  readonly pointer: string
  readonly keyword: string
}

/** Whether it was refused for its form: with 400, or for leaving out a member that may be left out. */
function isAboutForm({ response, body }: Exchange, { pointer }: Changed): boolean {
  if (response.status === 400) return true
  const errors = Object.values(nodeOf(nodeOf(body).errors)).map((it) => nodeOf(it))
  return (
    response.status === 422 &&
    errors.some((it) => it.pointer === pointer && /required|type|length/i.test(String(it.code)))
  )
}
