import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { withFilters } from '../run/filters.ts'
import { PARTIAL, wholeList } from '../run/whole-list.ts'

export const filterComplete: Law = {
  id: 'filter-complete',
  phase: 'data',
  question: 'paging',
  stateful: true,
  title: 'A filter lists every record that has the value.',
  advice: 'Filter before the page is cut, by the value as it is written.',
  run: (scene) =>
    withFilters(scene, async ({ name, value, created, exchange, items, resource }) => {
      const { id } = nodeOf(created.body)
      const has = (listed: readonly unknown[]) => listed.some((it) => nodeOf(it).id === id)
      if (has(items)) return scene.held()
      const whole = await wholeList(scene, resource.list, { [name]: value })
      if (whole && has(whole.items)) return scene.held()
      if (!whole?.isWhole) return scene.masked(PARTIAL)
      const message = `Expected the record that has this ${name}, and it is not listed.`
      scene.expect(exchange, message, { about: name })
    }),
}
