import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import { isSuccess } from '../../model/exchange.ts'
import { resourcesOf } from '../../model/resources.ts'
import { successWords } from '../../model/statuses.ts'
import { differingMember } from './differing-member.ts'
import { doStep, isOf, withRecords } from './records.ts'
import { itemOf, PARTIAL, wholeList } from './whole-list.ts'

export const cancelKept: Rule = {
  id: 'cancel-kept',
  phase: 'records',
  isTraffic: true,
  cites: { question: 'qr-statuses' },
  onlyIfAsked: true,
  stateful: true,
  title: 'A cancellation is kept: the list shows it, with all else as it was.',
  advice: 'Write the cancellation before it is answered.',
  run: (context) =>
    withRecords(context, resourcesOf(context.contract), async (resource, created) => {
      const { cancel, list } = resource
      if (!cancel || !list) return
      const first = await doStep(context, cancel, created)
      if (!isSuccess(first))
        return void context.expect(
          first,
          `Expected ${successWords(cancel.view)} for a cancellation, got ${first.response.status}.`,
          { about: 'cancel', question: undefined },
        )
      const { status } = nodeOf(first.body)
      const before = nodeOf(created.body).status
      context.expect(
        first,
        status === before ? `Expected another status than ${before} after the cancellation.` : undefined,
        { about: 'status' },
      )
      const changed = differingMember(created.body, first.body, ['status', 'revision', 'updated_at'])
      context.expect(
        first,
        changed && `Expected "${changed}" as it was before the cancellation, got another.`,
        {
          about: 'rest',
        },
      )
      const [old, now] = [created, first].map(({ body }) => nodeOf(body).revision)
      const isCounted = typeof old !== 'number' || (typeof now === 'number' && now > old)
      context.expect(first, isCounted ? undefined : 'Expected a higher revision after the cancellation.', {
        about: 'revision',
        question: 'qr-record',
      })
      const listed = await itemOf(context, resource, isOf(cancel, created))
      if (listed === undefined && !(await wholeList(context, list))?.isWhole)
        return context.inconclusive(PARTIAL)
      context.expect(
        first,
        listed !== undefined && differingMember(listed, first.body) === undefined
          ? undefined
          : 'Expected the list to show the cancellation, and it does not.',
        { about: 'list' },
      )
    }),
}
