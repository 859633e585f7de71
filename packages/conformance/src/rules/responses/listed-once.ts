import type { Rule } from '../../engine/rule.ts'
import type { Contract } from '../../model/contract.ts'
import { nodeOf } from '../../model/document.ts'
import { isSuccess } from '../../model/exchange.ts'
import { resourcesOf } from '../../model/resources.ts'
import { itemsIn } from '../lists/walk.ts'
import { anyStep, idIn } from '../records/record-steps.ts'

export const listedOnce: Rule = {
  id: 'listed-once',
  phase: 'responses',
  cites: { convention: 'pages' },
  // A mock lists what its contract shows.
  stateful: true,
  title: 'A list shows no record twice.',
  advice: 'Read each record once: a join may give a row for each of its matches.',
  judgeResponse: (exchange, contract) => {
    const { view, body } = exchange
    if (!isSuccess(exchange) || view?.method !== 'GET') return undefined
    // A record may hold a list of what it has twice, as an order of two lines of one thing.
    const named = listsOf(contract).get(view.id) ?? (Array.isArray(body) ? byId : undefined)
    const ids = named ? itemsIn(body).flatMap((it) => named(it) ?? []) : []
    if (ids.length === 0) return undefined
    const message = 'Expected each record once, got one twice.'
    return new Set(ids).size < ids.length ? [{ operation: view.id, contract: view.pointer, message }] : []
  },
}

/** What the id of an item is. */
type Named = (item: unknown) => unknown

const byId: Named = (item) => nodeOf(item).id

const known = new WeakMap<Contract, ReadonlyMap<string, Named>>()

/** The operations that show a list of records: of those that are created, or whose ids a link takes from it. */
function listsOf(contract: Contract): ReadonlyMap<string, Named> {
  const lists = known.get(contract) ?? new Map([...linkedLists(contract), ...createdLists(contract)])
  known.set(contract, lists)
  return lists
}

function createdLists(contract: Contract): [string, Named][] {
  return resourcesOf(contract).flatMap((resource) => {
    const step = anyStep(resource)
    return resource.list ? [[resource.list.id, (step && idIn(step)) ?? byId]] : []
  })
}

function linkedLists({ links }: Contract): [string, Named][] {
  const isOfItem = (it: unknown) => /^\$response\.body#.*\/0\//.test(String(it))
  const linked = links.filter(({ parameters, body }) =>
    [...Object.values(parameters), ...Object.values(nodeOf(body))].some(isOfItem),
  )
  return linked.map(({ from }) => [from, byId])
}
