import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { withFilters } from '../run/filters.ts'
import { itemsOf } from '../run/records.ts'

export const filterComplete: Law = {
  id: 'filter-complete',
  phase: 'data',
  question: 'paging',
  stateful: true,
  title: 'A filter lists every record that has the value.',
  advice: 'Filter before the page is cut, by the value as it is written.',
  run: (scene) =>
    withFilters(scene, async ({ name, created, exchange, query, items, resource }) => {
      const { id } = nodeOf(created.body)
      const has = (listed: readonly unknown[]) => listed.some((it) => nodeOf(it).id === id)
      // In another order it may be on a later page.
      const isThere = has(items) || has((await itemsOf(scene, resource, query)) ?? [])
      scene.expect(
        exchange,
        isThere ? undefined : `Expected the record that has this ${name}, and it is not listed.`,
        { about: name },
      )
    }),
}
