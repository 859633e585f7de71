import type { Law } from '../law.ts'
import { doStep, withRecords } from '../run/records.ts'
import { resourcesOf } from '../run/resources.ts'
import { isSuccess } from '../run/scene.ts'

export const visibleAfterCreation: Law = {
  id: 'visible-after-creation',
  phase: 'lifecycles',
  isTraffic: true,
  stateful: true,
  title: 'What was created can be read at once.',
  advice: 'Answer a creation when the record is there, not before.',
  run: (scene) =>
    withRecords(scene, resourcesOf(scene.contract), async ({ read }, created) => {
      if (!read) return
      const shown = await doStep(scene, read, created)
      scene.expect(
        shown,
        isSuccess(shown) ? undefined : `Expected the record that was created, got ${shown.reply.status}.`,
      )
    }),
}
