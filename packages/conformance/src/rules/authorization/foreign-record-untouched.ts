import { expectRefusal } from '../../engine/refusal.ts'
import type { Rule } from '../../engine/rule.ts'
import { isSuccess } from '../../model/exchange.ts'
import { bodyOf, doStep, withRecords } from '../common/record-steps.ts'
import { isGone } from '../records/missing-records.ts'
import { isSameAsRead, seen } from '../records/observe.ts'
import { otherIdentities } from './other-identities.ts'
import { actionsOfOwner, authenticatedSteps, ownedResources } from './owned-resources.ts'

export const foreignRecordUntouched: Rule = {
  id: 'foreign-record-untouched',
  phase: 'authorization',
  cites: { convention: 'owners' },
  requires: 'other',
  stateful: true,
  impact: 'high',
  title: 'A request of another partner or customer changes no record.',
  advice: 'Select records by owner and id when you change or delete them.',
  run: (context) =>
    withRecords(context, ownedResources(context.contract), async (resource, created) => {
      const { read, update, cancel, remove } = resource
      for (const { identity, question, words } of otherIdentities(context)) {
        const actions = await actionsOfOwner(context, resource, { created, identity })
        for (const step of authenticatedSteps([update, ...actions, cancel, remove])) {
          const body = bodyOf(context, step)
          // Read before each request, so that a change belongs to the request that made it.
          const before = read && (await seen(context, read, created))
          const exchange = await doStep(context, step, created, { body, identity })
          const after = read && (await doStep(context, read, created))
          const message = `Expected a request of ${words} to be without effect, got a changed record.`
          if (!before || !after) expectRefusal(context, exchange, message, { also: [401, 404], question })
          else if (!isSuccess(before.exchange) || !(isSuccess(after) || isGone(after))) context.inconclusive()
          else context.expect(exchange, isSameAsRead(before, after) ? undefined : message, { question })
        }
      }
    }),
}
