import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import { resourcesOf } from '../../model/resources.ts'
import { listIn } from '../records/records.ts'

/** Records made one after the other: fewer come in the right order by chance, five of them in one run of 120. */
const MADE = 8

export const newestFirst: Rule = {
  id: 'newest-first',
  phase: 'lists',
  cites: { question: 'paging' },
  onlyIfAsked: true,
  stateful: true,
  title: 'A list begins with what was created last.',
  advice: 'Order by creation, the newest first, with no ties.',
  run: async (context) => {
    for (const { create, list } of resourcesOf(context.contract)) {
      if (!list || !context.isAsked(list) || !context.may(create)) continue
      const made = await inTurn(context, create.id)
      const exchange = await context.send(list, {})
      if (made.length < MADE || !isSuccess(exchange)) context.inconclusive()
      else
        context.expect(
          exchange,
          isOrdered(exchange, made.toReversed())
            ? undefined
            : 'Expected the later creation before the earlier one, and it is not.',
        )
    }
  },
}

async function inTurn(context: Context, id: string): Promise<unknown[]> {
  const ids: unknown[] = []
  for (let i = 0; i < MADE; i++) {
    const created = await context.accepted(id)
    if (created) ids.push(nodeOf(created.body).id)
  }
  return ids
}

/** Whether those of the newest that are on the page are so in their order, and the newest of all is one of them. */
function isOrdered({ body }: Exchange, newest: readonly unknown[]): boolean {
  const listed = listIn(body)
    .map((it) => nodeOf(it).id)
    .filter((id) => newest.includes(id))
  return listed.length > 0 && listed.every((id, i) => id === newest[i])
}
