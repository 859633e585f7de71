import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { type Filtered, valueIn, withFilters } from '../run/filters.ts'
import { doStep, listIn } from '../run/records.ts'
import { isSuccess, type Scene } from '../run/scene.ts'

export const filterComplete: Law = {
  id: 'filter-complete',
  phase: 'data',
  question: 'paging',
  stateful: true,
  title: 'A filter lists every record that has the value.',
  advice: 'Filter before the page is cut, by the value as it is written.',
  run: (scene) =>
    withFilters(scene, async (filtered) => {
      const { name, created, exchange, items } = filtered
      const { id } = nodeOf(created.body)
      const isThere = items.some((it) => nodeOf(it).id === id)
      scene.expect(
        exchange,
        isThere ? undefined : `Expected the record that has this ${name}, and it is not listed.`,
        { about: name },
      )
      await onceEnded(scene, filtered)
    }),
}

/** What a record becomes when it is ended is a value to be filtered by as well. */
async function onceEnded(scene: Scene, { name, value, created, resource }: Filtered): Promise<void> {
  const { list, cancel } = resource
  const ended = cancel && (await doStep(scene, cancel, created))
  const next = ended && isSuccess(ended) ? valueIn(ended.body, name) : undefined
  if (next === undefined || next === value) return
  const exchange = await scene.send(list, { query: { [name]: next } })
  const isThere = listIn(exchange.body).some((it) => nodeOf(it).id === nodeOf(created.body).id)
  const message = `Expected the record that has come to this ${name}, and it is not listed.`
  scene.expect(exchange, isThere ? undefined : message, { about: `${name} ended` })
}
