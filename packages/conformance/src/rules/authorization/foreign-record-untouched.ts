import { expectRefusal } from '../../engine/refusal.ts'
import type { Rule } from '../../engine/rule.ts'
import { isSuccess } from '../../model/exchange.ts'
import { isGone, MAY_BE_MADE, mayBeMade } from '../records/missing-records.ts'
import { isAsSeen, seen } from '../records/observe.ts'
import { bodyOf, doStep, withRecords } from '../records/record-steps.ts'
import { strangersOf } from './other-identities.ts'
import { asking, ownedIn } from './owned-resources.ts'

export const foreignRecordUntouched: Rule = {
  id: 'foreign-record-untouched',
  phase: 'authorization',
  cites: { convention: 'owners' },
  requires: 'other',
  stateful: true,
  impact: 'high',
  title: 'What another partner sends leaves a record as it is.',
  advice: 'Change and delete records by their owner and their id.',
  run: (context) =>
    withRecords(
      context,
      ownedIn(context.contract),
      async ({ read, update, cancel, remove, act }, created) => {
        for (const { identity, question, words } of strangersOf(context))
          for (const step of asking([update, act, cancel, remove])) {
            const body = bodyOf(context, step)
            // Anew for each, so that what one has changed is not laid to the next.
            const before = read && (await seen(context, read, created))
            const exchange = await doStep(context, step, created, { body, identity })
            const after = read && (await doStep(context, read, created))
            const message = `Expected the request of ${words} to change nothing, and it did.`
            if ((!before || !after) && mayBeMade(context.contract, exchange))
              context.inconclusive(MAY_BE_MADE)
            else if (!before || !after)
              expectRefusal(context, exchange, message, { also: [401, 404], question })
            else if (!isSuccess(before.exchange) || !(isSuccess(after) || isGone(after)))
              context.inconclusive()
            else context.expect(exchange, isAsSeen(before, after) ? undefined : message, { question })
          }
      },
    ),
}
