import { isSuccess } from '../../engine/context.ts'
import type { Law } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import { resourcesOf } from '../../model/resources.ts'
import { doStep, withRecords } from './records.ts'

export const cancelIdempotent: Law = {
  id: 'cancel-idempotent',
  phase: 'lifecycles',
  question: 'qr-statuses',
  isOurs: true,
  stateful: true,
  title: 'Cancelling again changes nothing, and shows the record as it is.',
  advice: 'Answer a second cancellation with the record, unchanged.',
  run: (scene) =>
    withRecords(scene, resourcesOf(scene.contract), async ({ cancel }, created) => {
      if (!cancel) return
      const first = await doStep(scene, cancel, created)
      if (!isSuccess(first)) return scene.masked()
      const again = await doStep(scene, cancel, created)
      const shown = ['status', 'revision', 'updated_at'].filter(
        (name) => nodeOf(first.body)[name] !== undefined,
      )
      if (shown.length === 0) return scene.masked()
      const isSame = shown.every((name) => nodeOf(again.body)[name] === nodeOf(first.body)[name])
      scene.expect(
        again,
        isSuccess(again) && isSame
          ? undefined
          : `Expected a second cancellation to change nothing, got ${again.reply.status}.`,
      )
    }),
}
