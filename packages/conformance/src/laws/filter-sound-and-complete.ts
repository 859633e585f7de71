import type { Law } from '../law.ts'
import type { OperationView } from '../run/contract.ts'
import { nodeOf } from '../run/document.ts'
import { itemsOf, listIn } from '../run/records.ts'
import { type Resource, resourcesOf } from '../run/resources.ts'
import { isSuccess, type Scene } from '../run/scene.ts'

export const filterSoundAndComplete: Law = {
  id: 'filter-sound-and-complete',
  phase: 'data',
  question: 'paging',
  stateful: true,
  title: 'A filter lists every record that has the value, and no other.',
  advice: 'Filter by equality, before the page is cut.',
  run: async (scene) => {
    for (const resource of resourcesOf(scene.contract)) {
      const { list } = resource
      if (!list || !scene.isAsked(list) || !scene.may(resource.create)) continue
      for (const { name } of list.queryParameters.filter((it) => !['cursor', 'limit'].includes(it.name)))
        await tryFilter(scene, { ...resource, list }, name)
    }
  },
}

async function tryFilter(
  scene: Scene,
  resource: Resource & { list: OperationView },
  name: string,
): Promise<void> {
  const created = await scene.accepted(resource.create.id)
  const value = created && valueIn(created.body, name)
  if (!created || value === undefined) return scene.masked()
  const exchange = await scene.send(resource.list, { query: { [name]: value, limit: '100' } })
  if (!isSuccess(exchange)) return scene.masked()
  const items = listIn(exchange.body)
  const wrong = items.find((it) => valueIn(it, name) !== value)
  scene.expect(
    exchange,
    wrong === undefined
      ? undefined
      : `Expected only records whose ${name} is the one asked for, got another.`,
    {
      about: `${name} sound`,
    },
  )
  const { id } = nodeOf(created.body)
  const isThere = items.some((it) => nodeOf(it).id === id)
  scene.expect(
    exchange,
    isThere ? undefined : `Expected the record that has this ${name}, and it is not listed.`,
    { about: `${name} complete` },
  )
  await tryOther(scene, resource, name, value)
}

/** Another value of the same filter lists nothing that has the first one. */
async function tryOther(
  scene: Scene,
  resource: Resource & { list: OperationView },
  name: string,
  value: string,
): Promise<void> {
  const all = (await itemsOf(scene, resource, { limit: '100' })) ?? []
  const other =
    all.map((it) => valueIn(it, name)).find((it) => it !== undefined && it !== value && it !== '') ??
    unlike(value)
  const exchange = await scene.send(resource.list, { query: { [name]: other } })
  if (!isSuccess(exchange)) return
  const wrong = listIn(exchange.body).find((it) => valueIn(it, name) !== other)
  scene.expect(
    exchange,
    wrong === undefined
      ? undefined
      : `Expected only records whose ${name} is the one asked for, got another.`,
    {
      about: `${name} other`,
    },
  )
}

function unlike(value: string): string {
  if (value === 'ATIVA') return 'REMOVIDA_PELO_PSP'
  return value.replace(/\d/, (digit) => String((Number(digit) + 1) % 10))
}

/** The member of a record, or of its payer, that a filter is named after. */
function valueIn(record: unknown, name: string): string | undefined {
  const value = nodeOf(record)[name] ?? nodeOf(nodeOf(record).payer)[name]
  return typeof value === 'string' ? value : undefined
}
