import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { idOf, listIn, withRecords } from '../run/records.ts'
import { resourcesOf } from '../run/resources.ts'

export const foreignListHidden: Law = {
  id: 'foreign-list-hidden',
  phase: 'authorization',
  identity: 'other',
  stateful: true,
  atStake: true,
  title: "A list shows no record of another partner's.",
  advice: 'Filter the list by its caller.',
  run: (scene) =>
    withRecords(scene, resourcesOf(scene.contract), async ({ list, read, cancel, remove }, created) => {
      const step = read ?? cancel ?? remove
      if (!list || !step) return
      const exchange = await scene.send(list, {}, { who: 'other' })
      const id = idOf(step, created)
      const isThere = listIn(exchange.body).some((it) => Object.values(nodeOf(it)).includes(id))
      scene.expect(
        exchange,
        isThere ? "Expected no record of another partner's in the list, got one." : undefined,
      )
    }),
}
