import { isSuccess, type Scene } from '../../engine/context.ts'
import type { Law } from '../../engine/rule.ts'
import { type Resource, resourcesOf } from '../../model/resources.ts'
import type { Exchange } from '../../transport/exchange.ts'
import { isPaged } from './pages.ts'
import { anyStep, doStep, isOf, listIn, withRecords } from './records.ts'
import { PARTIAL, wholeList } from './whole-list.ts'

export const listedAfterCreation: Law = {
  id: 'listed-after-creation',
  phase: 'lifecycles',
  isTraffic: true,
  stateful: true,
  title: 'What was created is in the list at once, and stays there behind what is created after it.',
  advice: 'Let the list read what creations have written.',
  run: (scene) =>
    withRecords(scene, resourcesOf(scene.contract), async (resource, created) => {
      // First while nothing is newer.
      await look(scene, resource, created)
      const more = await addMore(scene, resource)
      if (more.length > 0) await look(scene, resource, created)
      // Else every event to come is delivered to them as well.
      for (const it of more) if (resource.remove) await doStep(scene, resource.remove, it)
    }),
}

async function look(scene: Scene, resource: Resource, created: Exchange): Promise<void> {
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
}

/** Records behind which one is listed still: a list that has no pages has them all. */
const MORE = 20

async function addMore(scene: Scene, { create, list, remove }: Resource): Promise<Exchange[]> {
  if (!list || !remove || isPaged(list) || scene.target !== 'sandbox') return []
  const made = await Promise.all(Array.from({ length: MORE }, () => scene.accepted(create.id)))
  return made.filter((it) => it !== undefined)
}
