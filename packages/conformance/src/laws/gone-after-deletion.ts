import type { Law } from '../law.ts'
import { doStep, withRecords } from '../run/records.ts'
import { resourcesOf } from '../run/resources.ts'
import { isSuccess } from '../run/scene.ts'

export const goneAfterDeletion: Law = {
  id: 'gone-after-deletion',
  phase: 'lifecycles',
  isTraffic: true,
  stateful: true,
  title: 'What was deleted is neither read nor changed any more.',
  advice: 'Let the deletion be seen by every operation at once.',
  run: (scene) =>
    withRecords(scene, resourcesOf(scene.contract), async ({ read, update, act, remove }, created) => {
      if (!remove) return
      if (read && !isSuccess(await doStep(scene, read, created))) return scene.masked()
      const removed = await doStep(scene, remove, created)
      if (!isSuccess(removed)) return scene.masked()
      for (const step of [read, update, act]) {
        if (!step) continue
        const body = step.view.bodyPointer === undefined ? undefined : step.view.examples[0]
        const exchange = await doStep(scene, step, created, { body })
        const { status } = exchange.reply
        const message = `Expected 404 for what was deleted, got ${status}.`
        scene.expect(exchange, status === 404 ? undefined : message, { about: step.view.id })
      }
    }),
}
