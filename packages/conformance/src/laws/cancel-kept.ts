import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import { doStep, isOf, withRecords } from '../run/records.ts'
import { resourcesOf } from '../run/resources.ts'
import { isSuccess } from '../run/scene.ts'
import { PARTIAL, wholeList } from '../run/whole-list.ts'

export const cancelKept: Law = {
  id: 'cancel-kept',
  phase: 'lifecycles',
  isTraffic: true,
  question: 'qr-statuses',
  stateful: true,
  title: 'A cancellation is kept: the list shows it.',
  advice: 'Write the cancellation before it is answered.',
  run: (scene) =>
    withRecords(scene, resourcesOf(scene.contract), async (resource, created) => {
      const { cancel, list } = resource
      if (!cancel || !list) return
      const first = await doStep(scene, cancel, created)
      if (!isSuccess(first))
        return void scene.expect(
          first,
          `Expected ${cancel.view.success} for a cancellation, got ${first.reply.status}.`,
          { about: 'cancel', question: undefined },
        )
      const { status } = nodeOf(first.body)
      const before = nodeOf(created.body).status
      scene.expect(
        first,
        status === before ? `Expected another status than ${before} after the cancellation.` : undefined,
        { about: 'status' },
      )
      const whole = await wholeList(scene, list)
      const listed = whole?.items.find(isOf(cancel, created))
      if (listed === undefined && !whole?.isWhole) return scene.masked(PARTIAL)
      scene.expect(
        first,
        nodeOf(listed).status === status
          ? undefined
          : 'Expected the list to show the cancellation, and it does not.',
        { about: 'list' },
      )
    }),
}
