import type { Law } from '../law.ts'
import { otherValue, valueIn, withFilters } from '../run/filters.ts'
import { listIn } from '../run/records.ts'
import { isSuccess } from '../run/scene.ts'

export const filterSound: Law = {
  id: 'filter-sound',
  phase: 'data',
  question: 'paging',
  stateful: true,
  title: 'A filter lists no record that has another value.',
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
    }),
}
