import type { Rule } from '../../engine/rule.ts'
import { isSuccess } from '../../model/exchange.ts'
import { resourcesOf } from '../../model/resources.ts'
import { doStep, isOf, withRecords } from './records.ts'
import { PARTIAL, wholeList } from './whole-list.ts'

export const deletedNotListed: Rule = {
  id: 'deleted-not-listed',
  phase: 'records',
  cites: 'contract',
  stateful: true,
  title: 'What was deleted is not listed any more.',
  advice: 'Leave deleted records out of the list.',
  run: (context) =>
    withRecords(context, resourcesOf(context.contract), async (resource, created) => {
      const { remove, list } = resource
      if (!remove || !list) return
      const removed = await doStep(context, remove, created)
      if (!isSuccess(removed)) return context.inconclusive()
      const whole = await wholeList(context, list)
      if (!whole) return context.inconclusive()
      const isListed = whole.items.some(isOf(remove, created))
      if (!isListed && !whole.isWhole) return context.inconclusive(PARTIAL)
      const message = 'Expected the list without what was deleted, and it is there.'
      context.expect(removed, isListed ? message : undefined, { operation: list.id, contract: list.pointer })
    }),
}
