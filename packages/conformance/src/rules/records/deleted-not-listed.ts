import { isSuccess } from '../../engine/context.ts'
import type { Law } from '../../engine/rule.ts'
import { resourcesOf } from '../../model/resources.ts'
import { doStep, isOf, withRecords } from './records.ts'
import { PARTIAL, wholeList } from './whole-list.ts'

export const deletedNotListed: Law = {
  id: 'deleted-not-listed',
  phase: 'lifecycles',
  stateful: true,
  title: 'What was deleted is not listed any more.',
  advice: 'Leave deleted records out of the list.',
  run: (scene) =>
    withRecords(scene, resourcesOf(scene.contract), async (resource, created) => {
      const { remove, list } = resource
      if (!remove || !list) return
      const removed = await doStep(scene, remove, created)
      if (!isSuccess(removed)) return scene.masked()
      const whole = await wholeList(scene, list)
      if (!whole) return scene.masked()
      const isListed = whole.items.some(isOf(remove, created))
      if (!isListed && !whole.isWhole) return scene.masked(PARTIAL)
      const message = 'Expected the list without what was deleted, and it is there.'
      scene.expect(removed, isListed ? message : undefined, { operation: list.id, contract: list.pointer })
    }),
}
