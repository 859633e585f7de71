import type { Rule } from '../../engine/rule.ts'
import type { Contract } from '../../model/contract.ts'
import { nodeOf } from '../../model/document.ts'
import { isSuccess } from '../../model/exchange.ts'
import { resourcesOf } from '../../model/resources.ts'
import { anyStep, itemIdReader } from '../common/record-steps.ts'
import { itemsIn } from '../lists/items.ts'

export const listedOnce: Rule = {
  id: 'listed-once',
  phase: 'responses',
  cites: { convention: 'pages' },
  // A mock returns the examples of its contract.
  stateful: true,
  title: 'A response of a list has no record twice.',
  advice: 'Select distinct records: a join may return a row for each match.',
  judgeResponse: (exchange, contract) => {
    const { view, body } = exchange
    if (!isSuccess(exchange) || view?.method !== 'GET') return undefined
    // An array within a record may repeat an id, as two lines of an order for one product do.
    const readId = listsOf(contract).get(view.id) ?? (Array.isArray(body) ? byId : undefined)
    const ids = readId ? itemsIn(body).flatMap((it) => readId(it) ?? []) : []
    if (ids.length === 0) return undefined
    const message = 'Expected each record once, got a record twice.'
    return new Set(ids).size < ids.length ? [{ operation: view.id, contract: view.pointer, message }] : []
  },
}

/** Reads the id of an item. */
type ReadId = (item: unknown) => unknown

const byId: ReadId = (item) => nodeOf(item).id

const known = new WeakMap<Contract, ReadonlyMap<string, ReadId>>()

/** The operations that list records: lists of resources, and lists from which a link takes an id. */
function listsOf(contract: Contract): ReadonlyMap<string, ReadId> {
  const lists = known.get(contract) ?? new Map([...linkedLists(contract), ...createdLists(contract)])
  known.set(contract, lists)
  return lists
}

function createdLists(contract: Contract): [string, ReadId][] {
  return resourcesOf(contract).flatMap((resource) => {
    const step = anyStep(resource)
    return resource.list ? [[resource.list.id, (step && itemIdReader(step)) ?? byId]] : []
  })
}

function linkedLists({ links }: Contract): [string, ReadId][] {
  const isOfItem = (it: unknown) => /^\$response\.body#.*\/0\//.test(String(it))
  const linked = links.filter(({ parameters, body }) =>
    [...Object.values(parameters), ...Object.values(nodeOf(body))].some(isOfItem),
  )
  return linked.map(({ from }) => [from, byId])
}
