import type { Context } from '../../engine/context.ts'
import { isRefusal } from '../../engine/refusal.ts'
import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import { type Resource, resourcesOf } from '../../model/resources.ts'
import { differingMember } from './differing-member.ts'
import { doStep, withRecords } from './records.ts'
import { madeUnusual } from './unusual-values.ts'

export const secretChangesOnRotation: Rule = {
  id: 'secret-changes-on-rotation',
  phase: 'records',
  cites: 'contract',
  isTraffic: true,
  stateful: true,
  impact: 'high',
  title: 'A regenerated secret is another one, of the same record, which stays as it is otherwise.',
  advice: 'Make a new secret, show that one, and write nothing else.',
  run: (context) =>
    withRecords(context, resourcesOf(context.contract), async (resource, created) => {
      const { act } = resource
      const { secret } = nodeOf(created.body)
      if (!act || typeof secret !== 'string') return
      // As it was made, so that nothing but its status is to blame where it is refused later.
      const isTaken = isSuccess(await doStep(context, act, created))
      await madeUnusual(context, resource, created)
      const before = await shownOf(context, resource, created)
      const rotated = await doStep(context, act, created)
      const refused = `Expected the secret of what is inactive to be regenerated too, got ${rotated.response.status}.`
      if (isTaken && isRefusal(rotated, [404]))
        return void context.expect(rotated, refused, { about: 'refused' })
      if (!isSuccess(rotated)) return context.inconclusive()
      const next = nodeOf(rotated.body)
      const isOther = typeof next.secret === 'string' && next.secret !== secret
      const got = next.secret === secret ? 'the same' : 'none'
      context.expect(rotated, isOther ? undefined : `Expected another secret, got ${got}.`, {
        about: 'secret',
      })
      const name = differingMember(created.body, rotated.body, ['secret'])
      context.expect(
        rotated,
        name && `Expected "${name}" of the record beside its new secret, got another.`,
        {
          about: 'id',
        },
      )
      const after = before && (await shownOf(context, resource, created))
      const changed = after && differingMember(before.body, after.body, ['updated_at'])
      context.expect(rotated, changed && `Expected "${changed}" as it was before, got another value.`, {
        about: 'rest',
      })
    }),
}

async function shownOf(
  context: Context,
  { read }: Resource,
  created: Exchange,
): Promise<Exchange | undefined> {
  return read && (await doStep(context, read, created))
}
