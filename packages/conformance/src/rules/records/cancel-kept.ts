import { isSuccess } from '../../engine/context.ts'
import type { Law } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import { resourcesOf } from '../../model/resources.ts'
import { successWords } from '../../model/statuses.ts'
import { differingMember } from './differing-member.ts'
import { doStep, isOf, withRecords } from './records.ts'
import { itemOf, PARTIAL, wholeList } from './whole-list.ts'

export const cancelKept: Law = {
  id: 'cancel-kept',
  phase: 'lifecycles',
  isTraffic: true,
  question: 'qr-statuses',
  isOurs: true,
  stateful: true,
  title: 'A cancellation is kept: the list shows it, with all else as it was.',
  advice: 'Write the cancellation before it is answered.',
  run: (scene) =>
    withRecords(scene, resourcesOf(scene.contract), async (resource, created) => {
      const { cancel, list } = resource
      if (!cancel || !list) return
      const first = await doStep(scene, cancel, created)
      if (!isSuccess(first))
        return void scene.expect(
          first,
          `Expected ${successWords(cancel.view)} for a cancellation, got ${first.reply.status}.`,
          { about: 'cancel', question: undefined },
        )
      const { status } = nodeOf(first.body)
      const before = nodeOf(created.body).status
      scene.expect(
        first,
        status === before ? `Expected another status than ${before} after the cancellation.` : undefined,
        { about: 'status' },
      )
      const changed = differingMember(created.body, first.body, ['status', 'revision', 'updated_at'])
      scene.expect(
        first,
        changed && `Expected "${changed}" as it was before the cancellation, got another.`,
        {
          about: 'rest',
        },
      )
      const [old, now] = [created, first].map(({ body }) => nodeOf(body).revision)
      const isCounted = typeof old !== 'number' || (typeof now === 'number' && now > old)
      scene.expect(first, isCounted ? undefined : 'Expected a higher revision after the cancellation.', {
        about: 'revision',
        question: 'qr-record',
      })
      const listed = await itemOf(scene, resource, isOf(cancel, created))
      if (listed === undefined && !(await wholeList(scene, list))?.isWhole) return scene.masked(PARTIAL)
      scene.expect(
        first,
        listed !== undefined && differingMember(listed, first.body) === undefined
          ? undefined
          : 'Expected the list to show the cancellation, and it does not.',
        { about: 'list' },
      )
    }),
}
