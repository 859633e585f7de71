import type { Rule } from '../../engine/rule.ts'
import { isSuccess } from '../../model/exchange.ts'
import { resourcesOf } from '../../model/resources.ts'
import { isAbsent, refusesAbsent } from './absence.ts'
import { doStep, withRecords } from './records.ts'

export const deleteAgainRefused: Rule = {
  id: 'delete-again-refused',
  phase: 'records',
  cites: { question: 'effects' },
  stateful: true,
  title: 'A second deletion finds nothing, and says 404.',
  advice: 'Answer 404 for a record that was deleted, as for one that never was.',
  run: (context) =>
    withRecords(context, resourcesOf(context.contract), async ({ remove }, created) => {
      // A repeated deletion may succeed as the first one did, unless the contract says otherwise.
      if (!remove || !refusesAbsent(context.contract, remove.view)) return
      const removed = await doStep(context, remove, created)
      if (!isSuccess(removed)) return context.inconclusive()
      const again = await doStep(context, remove, created)
      const message = `Expected 404 for a second deletion, got ${again.response.status}.`
      context.expect(again, isAbsent(again) ? undefined : message)
    }),
}
