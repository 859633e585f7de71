import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { doStep, idOf, itemsOf, withRecords } from '../run/records.ts'
import { resourcesOf } from '../run/resources.ts'
import { isSuccess } from '../run/scene.ts'

export const goneAfterDeletion: Law = {
  id: 'gone-after-deletion',
  phase: 'lifecycles',
  stateful: true,
  title: 'What was deleted is neither read nor listed any more, and a second deletion finds nothing.',
  advice: 'Let the deletion be seen by every operation at once.',
  run: (scene) =>
    withRecords(scene, resourcesOf(scene.contract), async (resource, created) => {
      const { read, remove } = resource
      if (!remove) return
      const removed = await doStep(scene, remove, created)
      if (!isSuccess(removed)) return scene.masked()
      if (read) {
        const shown = await doStep(scene, read, created)
        scene.expect(
          shown,
          shown.reply.status === 404
            ? undefined
            : `Expected 404 for what was deleted, got ${shown.reply.status}.`,
          { about: 'read' },
        )
      }
      const id = idOf(remove, created)
      const items = (await itemsOf(scene, resource)) ?? []
      const isListed = items.some((it) => Object.values(nodeOf(it)).includes(id))
      scene.expect(
        removed,
        isListed ? 'Expected the list without what was deleted, and it is there.' : undefined,
        { about: 'list' },
      )
      const again = await doStep(scene, remove, created)
      scene.expect(
        again,
        isSuccess(again) ? `Expected 404 for a second deletion, got ${again.reply.status}.` : undefined,
        { about: 'again', question: 'effects' },
      )
    }),
}
