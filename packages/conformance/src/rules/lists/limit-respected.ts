import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { below, nodeOf } from '../../model/document.ts'
import { isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { resourcesOf } from '../../model/resources.ts'
import { isPaged } from '../records/pages.ts'
import { listIn } from '../records/records.ts'

/** Records made at most to have more than a page. */
const MOST = 60

export const limitRespected: Rule = {
  id: 'limit-respected',
  phase: 'lists',
  isTraffic: true,
  cites: { question: 'paging' },
  stateful: true,
  title:
    'A page holds as many records as `limit` says, or its default where it says nothing, and fewer at the end alone.',
  advice: 'Cut the page at the limit.',
  run: async (context) => {
    const lists = context.contract.operations.filter(
      (view) => view.method === 'GET' && isPaged(view) && context.isAsked(view),
    )
    const isExact = context.contract.questions.has('paging')
    await context.each(lists, async (view) => {
      const standard = defaultOf(context, view)
      await fill(context, view, (standard ?? 3) + 2)
      const sizes = [1, 2, 3, ...(standard ? [standard + 1] : [])]
      const limits = sizes.map((it) => ({ query: { limit: String(it) }, most: it }))
      for (const { query, most } of standard ? [...limits, { query: {}, most: standard }] : limits) {
        const exchange = await context.send(view, { query })
        if (!isSuccess(exchange)) return context.inconclusive()
        const count = listIn(exchange.body).length
        // A service may cut a page shorter than it was asked to, unless the contract gives our answer.
        const isShort = isExact && count < most && typeof nodeOf(exchange.body).next_cursor === 'string'
        const short = isShort && `Expected ${most} records on a page that has a next one, got ${count}.`
        const message = count > most ? `Expected at most ${most} records, got ${count}.` : short || undefined
        // A page that is not full, and the last, was cut by nothing.
        if (count < most && !isShort) context.inconclusive()
        else context.expect(exchange, message, { about: 'limit' in query ? String(most) : 'default' })
      }
    })
  },
}

/** How many records a page holds where nothing is said, if the contract says it. */
function defaultOf({ contract }: Context, { queryParameters }: OperationView): number | undefined {
  const pointer = queryParameters.find(({ name }) => name === 'limit')?.pointer ?? ''
  const value = Number(contract.document.follow(below(pointer, 'schema')).node.default)
  return value > 0 ? value : undefined
}

/** Makes the list longer than a page, but on a live service, where what is listed may be there for good. */
async function fill(context: Context, view: OperationView, wanted: number): Promise<void> {
  const create = resourcesOf(context.contract).find(({ list }) => list?.id === view.id)?.create
  if (!create || context.target === 'live' || wanted > MOST) return
  await context.each([...Array(wanted).keys()], async () => void (await context.accepted(create.id)))
}
