import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import type { Exchange } from '../run/exchange.ts'
import { valueIn } from '../run/filters.ts'
import type { OperationView } from '../run/operation-view.ts'
import { isPaged } from '../run/pages.ts'
import { listIn } from '../run/records.ts'
import { resourcesOf } from '../run/resources.ts'
import { isSuccess, type Scene } from '../run/scene.ts'
import { strangersOf } from '../run/strangers.ts'

type Query = Readonly<Record<string, string>>

export const foreignListHidden: Law = {
  id: 'foreign-list-hidden',
  phase: 'authorization',
  identity: 'other',
  stateful: true,
  atStake: true,
  title: "A list shows no record of another partner's: on no page, by no filter.",
  advice: 'Filter the list by its caller, and whatever else it is filtered by.',
  run: async (scene) => {
    const lists = scene.contract.operations.filter(
      (it) =>
        it.method === 'GET' && it.scheme !== undefined && it.pathParameters.length === 0 && scene.isAsked(it),
    )
    for (const list of lists) {
      const made = await madeFor(scene, list)
      const own = await scene.send(list, {})
      if (!isSuccess(own)) scene.masked()
      else for (const query of await queriesOf(scene, list, made)) await isHidden(scene, list, { own, query })
    }
  },
}

/** Two records of the partner's, and one of the other's, so that there is something on either side. */
async function madeFor(scene: Scene, list: OperationView): Promise<Exchange | undefined> {
  const create = resourcesOf(scene.contract).find((it) => it.list === list)?.create
  if (!create) return undefined
  await scene.accepted(create.id, { who: 'other' })
  await scene.accepted(create.id)
  return scene.accepted(create.id)
}

/** The list as it is, by each filter that the record meets, and from the second page on. */
async function queriesOf(scene: Scene, list: OperationView, made: Exchange | undefined): Promise<Query[]> {
  const filters = list.queryParameters.flatMap(({ name }) => {
    const value = valueIn(made?.body, name)
    return value === undefined ? [] : [{ [name]: value }]
  })
  const first = isPaged(list) ? await scene.send(list, { query: { limit: '1' } }) : undefined
  const cursor = nodeOf(first?.body).next_cursor
  return [{}, ...filters, ...(typeof cursor === 'string' ? [{ limit: '20', cursor }] : [])]
}

interface Asked {
  readonly own: Exchange
  readonly query: Query
}

async function isHidden(scene: Scene, list: OperationView, { own, query }: Asked): Promise<void> {
  for (const { who, question, words } of strangersOf(scene)) {
    const [theirs, mine] = [
      await scene.send(list, { query }, { who }),
      Object.keys(query).length === 0 ? own : await scene.send(list, { query }),
    ]
    // Whom the list is refused to sees nothing.
    if (!isSuccess(theirs) || !isSuccess(mine)) continue
    const ids = [...idsIn(own), ...idsIn(mine)]
    const isShared = idsIn(theirs).some((id) => ids.includes(id))
    const message = `Expected the partner and ${words} to list nothing in common, and they do.`
    scene.expect(mine, isShared ? message : undefined, { about: `${who}${Object.keys(query)}`, question })
  }
}

function idsIn({ body }: Exchange): unknown[] {
  return listIn(body).flatMap((it) => nodeOf(it).id ?? [])
}
