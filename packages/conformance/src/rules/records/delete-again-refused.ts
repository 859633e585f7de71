import { isSuccess } from '../../engine/context.ts'
import type { Law } from '../../engine/rule.ts'
import { resourcesOf } from '../../model/resources.ts'
import { isAbsent, refusesAbsent } from './absence.ts'
import { doStep, withRecords } from './records.ts'

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
