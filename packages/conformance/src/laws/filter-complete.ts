import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { withFilters } from '../run/filters.ts'

export const filterComplete: Law = {
  id: 'filter-complete',
  phase: 'data',
  question: 'paging',
  stateful: true,
  title: 'A filter lists every record that has the value.',
  advice: 'Filter before the page is cut, by the value as it is written.',
  run: (scene) =>
    withFilters(scene, async ({ name, created, exchange, items }) => {
      const { id } = nodeOf(created.body)
      const isThere = items.some((it) => nodeOf(it).id === id)
      scene.expect(
        exchange,
        isThere ? undefined : `Expected the record that has this ${name}, and it is not listed.`,
        { about: name },
      )
    }),
}
