import type { Law } from '../law.ts'
import { doStep, withRecords } from '../run/records.ts'
import { resourcesOf } from '../run/resources.ts'
import { isSuccess } from '../run/scene.ts'

export const goneAfterDeletion: Law = {
  id: 'gone-after-deletion',
  phase: 'lifecycles',
  isTraffic: true,
  stateful: true,
  title: 'What was deleted is not read any more.',
  advice: 'Let the deletion be seen by every operation at once.',
  run: (scene) =>
    withRecords(scene, resourcesOf(scene.contract), async ({ read, remove }, created) => {
      if (!remove || !read) return
      if (!isSuccess(await doStep(scene, read, created))) return scene.masked()
      const removed = await doStep(scene, remove, created)
      if (!isSuccess(removed)) return scene.masked()
      const shown = await doStep(scene, read, created)
      const { status } = shown.reply
      const message = `Expected 404 for what was deleted, got ${status}.`
      scene.expect(shown, status === 404 ? undefined : message, { about: 'read' })
    }),
}
