import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { below, nodeOf } from '../../model/document.ts'
import { isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { resourcesOf } from '../../model/resources.ts'
import { successesOf } from '../../model/statuses.ts'
import { isPaged } from '../records/pages.ts'
import { anyStep, idIn, listIn } from '../records/records.ts'
import { PARTIAL } from '../records/whole-list.ts'

/** Records of a list that are made for this, more than a page holds. */
const MADE = 5
const PAGES = 60

export const pagesDisjointAndComplete: Rule = {
  id: 'pages-disjoint-and-complete',
  phase: 'lists',
  cites: { question: 'paging' },
  stateful: true,
  title: 'The pages of a list share no record, leave none out, and come to an end.',
  advice: 'Let the cursor say after which record the next page begins, in an order that has no ties.',
  run: async (context) => {
    for (const resource of resourcesOf(context.contract)) {
      const { create, list } = resource
      const step = anyStep(resource)
      const named = step && idIn(step)
      if (!list || !isPaged(list) || !context.isAsked(list) || !context.may(create)) continue
      if (!showsCursor(context, list)) continue
      const made = await Promise.all(Array.from({ length: MADE }, () => context.accepted(create.id)))
      const ids = made.flatMap((it) => (it && named ? [named(it.body) ?? []].flat() : []))
      if (ids.length < MADE || !named) context.inconclusive()
      else await walkPages(context, { create, list }, { ids, named })
    }
  },
}

/** Whether the contract says that a page names the next one as we know it. */
function showsCursor({ contract: { document } }: Context, { pointer, statuses }: OperationView): boolean {
  const [success = ''] = successesOf(statuses)
  const response = document.follow(below(pointer, 'responses', success))
  const [type = ''] = Object.keys(nodeOf(response.node.content))
  const { node } = document.follow(below(response.pointer, 'content', type, 'schema'))
  return JSON.stringify(node).includes('"next_cursor"')
}

interface Lists {
  readonly create: OperationView
  readonly list: OperationView
}

interface TrackedResources {
  /** Ids of the records that were made. */
  readonly ids: readonly unknown[]
  /** What the id of an item is. */
  readonly named: (item: unknown) => unknown
}

async function walkPages(
  context: Context,
  { create, list }: Lists,
  { ids, named }: TrackedResources,
): Promise<void> {
  const seen: unknown[] = []
  let cursor: string | undefined
  for (let page = 0; page < PAGES; page++) {
    const exchange = await context.send(list, { query: { limit: '2', ...(cursor && { cursor }) } })
    // So small a page may be none that the service gives.
    if (!isSuccess(exchange) && page === 0) return context.inconclusive()
    if (!isSuccess(exchange))
      return void context.expect(exchange, `Expected a page, got ${exchange.response.status}.`, {
        about: 'page',
      })
    const items = listIn(exchange.body).map(named)
    context.expect(
      exchange,
      items.length > 2 ? `Expected at most 2 records for limit=2, got ${items.length}.` : undefined,
      { about: 'limit' },
    )
    context.expect(
      exchange,
      items.some((it) => seen.includes(it)) ? 'Expected no record on two pages, got one.' : undefined,
      { about: 'disjoint' },
    )
    seen.push(...items)
    const next = nodeOf(exchange.body).next_cursor
    const isLast = typeof next !== 'string'
    if (isLast || ids.every((id) => seen.includes(id))) {
      const missing = ids.filter((id) => !seen.includes(id)).length
      return void context.expect(
        exchange,
        missing ? `Expected every record on some page, ${missing} are on none.` : undefined,
        { about: 'complete' },
      )
    }
    if (next === cursor || items.length === 0)
      return void context.expect(exchange, 'Expected the cursor to lead on or to end, and it does neither.', {
        about: 'end',
      })
    cursor = next
    // What comes meanwhile moves no record to a page where it was not, by our answer.
    if (page === 0 && context.contract.questions.has('paging')) await context.accepted(create.id)
  }
  context.inconclusive(PARTIAL)
}
