import { isSuccess } from '../../engine/context.ts'
import type { Law } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import { isPaged } from '../records/pages.ts'
import { listIn } from '../records/records.ts'

/** Pages of a hundred; who has more records than this is told from a cursor that goes round by its repeats. */
const PAGES = 100

export const cursorEnds: Law = {
  id: 'cursor-ends',
  phase: 'data',
  question: 'paging',
  isOurs: true,
  stateful: true,
  title: 'The cursor leads from page to page, and is null on the last one.',
  advice: 'Give null for next_cursor when there is no further record.',
  run: async (scene) => {
    const lists = scene.contract.operations.filter(
      (view) => view.method === 'GET' && isPaged(view) && scene.isAsked(view),
    )
    await scene.each(lists, async (view) => {
      const seen = new Set<string>()
      let cursor: string | undefined
      for (let page = 0; page < PAGES; page++) {
        const exchange = await scene.send(view, { query: { limit: '100', ...(cursor && { cursor }) } })
        if (!isSuccess(exchange) && cursor === undefined) return scene.masked()
        if (!isSuccess(exchange))
          return void scene.expect(
            exchange,
            `Expected a page for the cursor that was given, got ${exchange.reply.status}.`,
          )
        const next = nodeOf(exchange.body).next_cursor
        const isPast = typeof next === 'string' && listIn(exchange.body).length < 100
        if (isPast)
          return void scene.expect(
            exchange,
            'Expected null for next_cursor on a page that is not full, got a cursor.',
          )
        if (typeof next !== 'string') return scene.held()
        if (seen.has(next))
          return void scene.expect(exchange, 'Expected the cursor to end, and it goes round.')
        seen.add(next)
        cursor = next
      }
    })
  },
}
