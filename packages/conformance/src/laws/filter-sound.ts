import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { type Filtered, otherValue, valueIn, withFilters } from '../run/filters.ts'
import { isPaged } from '../run/pages.ts'
import { doStep, listIn } from '../run/records.ts'
import { isSuccess, type Scene } from '../run/scene.ts'

export const filterSound: Law = {
  id: 'filter-sound',
  phase: 'data',
  question: 'paging',
  stateful: true,
  title: 'A filter lists no record that has another value: on no page, and beside no other filter.',
  advice: 'Filter by equality, before the page is cut.',
  run: (scene) =>
    withFilters(scene, async (filtered) => {
      const { name, value, exchange, items } = filtered
      const wrong = items.some((it) => valueIn(it, name) !== value)
      const message = `Expected only records whose ${name} is the one asked for, got another.`
      scene.expect(exchange, wrong ? message : undefined, { about: name })
      const other = await otherValue(scene, filtered)
      const second = await scene.send(filtered.resource.list, { query: { [name]: other } })
      if (!isSuccess(second)) return scene.masked()
      const isMixed = listIn(second.body).some((it) => valueIn(it, name) !== other)
      scene.expect(second, isMixed ? message : undefined, { about: name })
      await besideAnother(scene, filtered, other)
      await onPageTwo(scene, filtered)
    }),
}

/** Ends the record, where that gives it another value, and looks for it on the second page. */
async function onPageTwo(scene: Scene, { name, value, resource, created }: Filtered): Promise<void> {
  const { list, create, cancel } = resource
  const ended = isPaged(list) && cancel ? await doStep(scene, cancel, created) : undefined
  if (!ended || !isSuccess(ended) || valueIn(ended.body, name) === value) return
  // One of the value before it, which the first page has.
  await scene.accepted(create.id)
  const first = await scene.send(list, { query: { [name]: value, limit: '1' } })
  const { next_cursor } = nodeOf(first.body)
  if (typeof next_cursor !== 'string') return
  const query = { [name]: value, limit: '20', cursor: next_cursor }
  const second = await scene.send(list, { query })
  if (!isSuccess(second)) return scene.masked()
  const isMixed = listIn(second.body).some((it) => valueIn(it, name) !== value)
  const message = `Expected only records with the ${name} asked for on the second page too, got another.`
  scene.expect(second, isMixed ? message : undefined, { about: `${name} page` })
}

/** Filters by a value that records have and one that they have not: both have to hold. */
async function besideAnother(
  scene: Scene,
  { name, resource: { list }, created }: Filtered,
  other: string,
): Promise<void> {
  const names = list.queryParameters.map((it) => it.name).filter((it) => it !== name)
  for (const second of names) {
    const value = valueIn(created.body, second)
    if (value === undefined) continue
    const exchange = await scene.send(list, { query: { [name]: other, [second]: value } })
    if (!isSuccess(exchange)) {
      scene.masked()
      continue
    }
    const isMixed = listIn(exchange.body).some((it) => valueIn(it, name) !== other)
    const message = `Expected both ${name} and ${second} to filter, and one of them does not.`
    scene.expect(exchange, isMixed ? message : undefined, { about: `${name} ${second}` })
  }
}
