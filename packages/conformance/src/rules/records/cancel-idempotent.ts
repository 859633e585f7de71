import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import { isSuccess } from '../../model/exchange.ts'
import { resourcesOf } from '../../model/resources.ts'
import { doStep, withRecords } from './records.ts'

export const cancelIdempotent: Rule = {
  id: 'cancel-idempotent',
  phase: 'records',
  cites: { question: 'qr-statuses' },
  onlyIfAsked: true,
  stateful: true,
  title: 'Cancelling again changes nothing, and shows the record as it is.',
  advice: 'Answer a second cancellation with the record, unchanged.',
  run: (context) =>
    withRecords(context, resourcesOf(context.contract), async ({ cancel }, created) => {
      if (!cancel) return
      const first = await doStep(context, cancel, created)
      if (!isSuccess(first)) return context.inconclusive()
      const again = await doStep(context, cancel, created)
      const shown = ['status', 'revision', 'updated_at'].filter(
        (name) => nodeOf(first.body)[name] !== undefined,
      )
      if (shown.length === 0) return context.inconclusive()
      const isSame = shown.every((name) => nodeOf(again.body)[name] === nodeOf(first.body)[name])
      context.expect(
        again,
        isSuccess(again) && isSame
          ? undefined
          : `Expected a second cancellation to change nothing, got ${again.response.status}.`,
      )
    }),
}
