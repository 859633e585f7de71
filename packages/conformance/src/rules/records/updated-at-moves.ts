import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { type Exchange, isSuccess } from '../../model/exchange.ts'
import { type Resource, resourcesOf, type Step } from '../../model/resources.ts'
import { createdBy } from '../common/declared-resources.ts'
import { bodyOf, doStep } from '../common/record-steps.ts'
import { citedTimes, timeIn } from '../common/record-times.ts'
import { lookAt } from './observe.ts'

/** Seconds from the creation to the change: more than the precision of any timestamp. */
const LATER = 60

/** Moves the clock of a sandbox. Without one, the rule is not assessed. */
export const updatedAtMoves: Rule = {
  id: 'updated-at-moves',
  phase: 'later',
  cites: { convention: 'timestamps' },
  stateful: true,
  needsSandboxControl: true,
  title: 'A change moves the time of the last change, and a read does not.',
  advice: 'Set the time of the last change with whatever else is written, and never where a record is read.',
  run: async (context) => {
    const tracked = await recordsOf(context)
    if (tracked.length === 0 || !(await context.clock.move(LATER))) return
    await context.each(tracked, (it) => tryRecord(context, it))
  },
}

interface Tracked {
  readonly resource: Resource
  readonly created: Exchange
  readonly step: Step
}

/** A record of each resource that can be changed. */
async function recordsOf(context: Context): Promise<Tracked[]> {
  const tracked: Tracked[] = []
  for (const resource of resourcesOf(context.contract)) {
    const step = resource.update ?? resource.cancel
    if (!step || !context.isIncluded(step.view)) continue
    const created = await context.accepted(resource.create.id)
    if (created) tracked.push({ resource, created, step })
    else context.inconclusive()
  }
  return tracked
}

async function tryRecord(context: Context, { resource, created, step }: Tracked): Promise<void> {
  const declared = createdBy(context, resource.create.id)
  const before = await lookAt(context, resource, created)
  const changed = await doStep(context, step, created, { body: bodyOf(context, step) })
  const [since, at, moved] = [
    timeIn(before?.record, declared, 'created'),
    timeIn(before?.record, declared, 'updated'),
    timeIn(changed.body, declared, 'updated') ??
      timeIn((await lookAt(context, resource, created))?.record, declared, 'updated'),
  ]
  if (!before || !isSuccess(changed) || since === undefined || at === undefined || moved === undefined)
    return context.inconclusive()
  const isKept = at - since < (LATER * 1000) / 2
  const place = citedTimes(declared)
  context.expect(
    before.exchange,
    isKept ? undefined : `${before.exchange.view?.id} moved the time of the last change.`,
    {
      about: 'read',
      ...place,
    },
  )
  const message = `${step.view.id} did not move the time of the last change.`
  context.expect(changed, moved - since > (LATER * 1000) / 2 ? undefined : message, {
    about: 'change',
    ...place,
  })
}
