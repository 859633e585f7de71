import type { Law } from '../law.ts'
import { anyStep, isOf, listIn, withRecords } from '../run/records.ts'
import { resourcesOf } from '../run/resources.ts'
import { isSuccess } from '../run/scene.ts'
import { PARTIAL, wholeList } from '../run/whole-list.ts'

export const listedAfterCreation: Law = {
  id: 'listed-after-creation',
  phase: 'lifecycles',
  isTraffic: true,
  stateful: true,
  title: 'What was created is in the list at once.',
  advice: 'Let the list read what creations have written.',
  run: (scene) =>
    withRecords(scene, resourcesOf(scene.contract), async (resource, created) => {
      const { list } = resource
      const step = anyStep(resource)
      if (!list || !step) return
      const has = (items: readonly unknown[]) => items.some(isOf(step, created))
      const first = await scene.send(list, {})
      if (!isSuccess(first)) return scene.masked()
      if (has(listIn(first.body))) return scene.held()
      const whole = await wholeList(scene, list)
      if (!whole) return scene.masked()
      if (has(whole.items)) return scene.held()
      if (!whole.isWhole) return scene.masked(PARTIAL)
      scene.expect(first, 'Expected the list to have the record that was created, and it has not.')
    }),
}
