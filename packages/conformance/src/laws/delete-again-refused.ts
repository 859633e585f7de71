import type { Law } from '../law.ts'
import { isAbsent, refusesAbsent } from '../records/absence.ts'
import { doStep, withRecords } from '../records/records.ts'
import { resourcesOf } from '../records/resources.ts'
import { isSuccess } from '../run/scene.ts'

export const deleteAgainRefused: Law = {
  id: 'delete-again-refused',
  phase: 'lifecycles',
  question: 'effects',
  stateful: true,
  title: 'A second deletion finds nothing, and says 404.',
  advice: 'Answer 404 for a record that was deleted, as for one that never was.',
  run: (scene) =>
    withRecords(scene, resourcesOf(scene.contract), async ({ remove }, created) => {
      // A repeated deletion may succeed as the first one did, unless the contract says otherwise.
      if (!remove || !refusesAbsent(scene.contract, remove.view)) return
      const removed = await doStep(scene, remove, created)
      if (!isSuccess(removed)) return scene.masked()
      const again = await doStep(scene, remove, created)
      const message = `Expected 404 for a second deletion, got ${again.reply.status}.`
      scene.expect(again, isAbsent(again) ? undefined : message)
    }),
}
