import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import { isSuccess } from '../../model/exchange.ts'
import { isPaged } from '../records/pages.ts'
import { listIn } from '../records/records.ts'

/** Pages of a hundred; who has more records than this is told from a cursor that goes round by its repeats. */
const PAGES = 100

export const cursorEnds: Rule = {
  id: 'cursor-ends',
  phase: 'lists',
  cites: { question: 'paging' },
  onlyIfAsked: true,
  stateful: true,
  title: 'The cursor leads from page to page, and is null on the last one.',
  advice: 'Give null for next_cursor when there is no further record.',
  run: async (context) => {
    const lists = context.contract.operations.filter(
      (view) => view.method === 'GET' && isPaged(view) && context.isAsked(view),
    )
    await context.each(lists, async (view) => {
      const seen = new Set<string>()
      let cursor: string | undefined
      for (let page = 0; page < PAGES; page++) {
        const exchange = await context.send(view, { query: { limit: '100', ...(cursor && { cursor }) } })
        if (!isSuccess(exchange) && cursor === undefined) return context.inconclusive()
        if (!isSuccess(exchange))
          return void context.expect(
            exchange,
            `Expected a page for the cursor that was given, got ${exchange.response.status}.`,
          )
        const next = nodeOf(exchange.body).next_cursor
        const isPast = typeof next === 'string' && listIn(exchange.body).length < 100
        if (isPast)
          return void context.expect(
            exchange,
            'Expected null for next_cursor on a page that is not full, got a cursor.',
          )
        if (typeof next !== 'string') return context.passed()
        if (seen.has(next))
          return void context.expect(exchange, 'Expected the cursor to end, and it goes round.')
        seen.add(next)
        cursor = next
      }
    })
  },
}
