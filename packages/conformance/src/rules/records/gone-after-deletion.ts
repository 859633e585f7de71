import type { Context } from '../../engine/context.ts'
import { isRefusal } from '../../engine/refusal.ts'
import type { Rule } from '../../engine/rule.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import { type Resource, resourcesOf, type Step } from '../../model/resources.ts'
import { isAbsent, MAY_BE_MADE, mayBeMade } from './absence.ts'
import { bodyOf, doStep, withRecords } from './records.ts'
import { madeUnusual } from './unusual-values.ts'

export const goneAfterDeletion: Rule = {
  id: 'gone-after-deletion',
  phase: 'records',
  cites: 'contract',
  isTraffic: true,
  stateful: true,
  title:
    'What is made can be deleted, whatever its status, and what was deleted is neither read nor changed any more.',
  advice: 'Let the deletion be seen by every operation at once.',
  run: (context) =>
    withRecords(context, resourcesOf(context.contract), async (resource, created) => {
      const { read, update, act, remove } = resource
      if (!remove) return
      const steps = [read, update, act].filter((it) => it !== undefined)
      // Only what is accepted before the deletion is refused because of it.
      const taken: Step[] = []
      for (const step of steps) {
        if (isSuccess(await tried(context, step, created))) taken.push(step)
        else context.inconclusive()
      }
      await madeUnusual(context, resource, created)
      const isTaken = await isDeleted(context, resource)
      const removed = await doStep(context, remove, created)
      const refused = `Expected the deletion of what was made here, got ${removed.response.status}.`
      // Only where another one is deleted, it is its status that this one is refused for.
      if (isTaken && isRefusal(removed, [404]))
        return void context.expect(removed, refused, { about: 'remove' })
      if (!isSuccess(removed)) return context.inconclusive()
      for (const step of taken) judge(context, step, await tried(context, step, created))
    }),
}

function tried(context: Context, step: Step, created: Exchange): Promise<Exchange> {
  const body = bodyOf(step)
  return doStep(context, step, created, { body })
}

function judge(context: Context, { view }: Step, exchange: Exchange): void {
  const message = `Expected 404 for what was deleted, got ${exchange.response.status}.`
  if (mayBeMade(context.contract, exchange)) context.inconclusive(MAY_BE_MADE)
  else context.expect(exchange, isAbsent(exchange) ? undefined : message, { about: view.id })
}

/** Whether a record is deleted that is as it was made. */
async function isDeleted(context: Context, { create, remove }: Resource): Promise<boolean> {
  const other = await context.accepted(create.id)
  return remove !== undefined && other !== undefined && isSuccess(await doStep(context, remove, other))
}
