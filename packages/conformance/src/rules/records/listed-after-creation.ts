import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import { type Resource, resourcesOf } from '../../model/resources.ts'
import { isPaged } from './pages.ts'
import { anyStep, doStep, isOf, listIn, withRecords } from './records.ts'
import { PARTIAL, wholeList } from './whole-list.ts'

export const listedAfterCreation: Rule = {
  id: 'listed-after-creation',
  phase: 'records',
  cites: 'contract',
  isTraffic: true,
  stateful: true,
  title: 'What was created is in the list at once, and stays there behind what is created after it.',
  advice: 'Let the list read what creations have written.',
  run: (context) =>
    withRecords(context, resourcesOf(context.contract), async (resource, created) => {
      // First while nothing is newer.
      await look(context, resource, created)
      const more = await addMore(context, resource)
      if (more.length > 0) await look(context, resource, created)
      // Else every event to come is delivered to them as well.
      for (const it of more) if (resource.remove) await doStep(context, resource.remove, it)
    }),
}

async function look(context: Context, resource: Resource, created: Exchange): Promise<void> {
  const { list } = resource
  const step = anyStep(resource)
  if (!list || !step) return
  const has = (items: readonly unknown[]) => items.some(isOf(step, created))
  const first = await context.send(list, {})
  if (!isSuccess(first)) return context.inconclusive()
  if (has(listIn(first.body))) return context.passed()
  const whole = await wholeList(context, list)
  if (!whole) return context.inconclusive()
  if (has(whole.items)) return context.passed()
  if (!whole.isWhole) return context.inconclusive(PARTIAL)
  context.expect(first, 'Expected the list to have the record that was created, and it has not.')
}

/** Records behind which one is listed still: a list that has no pages has them all. */
const MORE = 20

async function addMore(context: Context, { create, list, remove }: Resource): Promise<Exchange[]> {
  if (!list || !remove || isPaged(list) || context.target !== 'sandbox') return []
  const made = await Promise.all(Array.from({ length: MORE }, () => context.accepted(create.id)))
  return made.filter((it) => it !== undefined)
}
