import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import { type Resource, resourcesOf, type Step } from '../../model/resources.ts'
import { doStep } from './records.ts'

/** Seconds from the creation to the change, more than a service may leave out of its timestamps. */
const LATER = 60

/** A sandbox can be told to move its clock; no other service is waited for. */
export const updatedAtMoves: Rule = {
  id: 'updated-at-moves',
  phase: 'later',
  cites: { question: 'timestamp-formats' },
  stateful: true,
  isOfSandbox: true,
  title: 'A change moves updated_at, and a look does not.',
  advice: 'Set updated_at with whatever else is written, and never where a record is read.',
  run: async (context) => {
    const made = await recordsOf(context)
    if (made.length === 0 || !(await context.clock.move(LATER))) return
    await context.each(made, (it) => tryRecord(context, it))
  },
}

interface TrackedResources {
  readonly resource: Resource
  readonly created: Exchange
  readonly step: Step
}

/** A record of each resource that can be changed. */
async function recordsOf(context: Context): Promise<TrackedResources[]> {
  const made: TrackedResources[] = []
  for (const resource of resourcesOf(context.contract)) {
    const step = resource.update ?? resource.cancel
    if (!step || !context.isAsked(step.view)) continue
    const created = await context.accepted(resource.create.id)
    if (created) made.push({ resource, created, step })
    else context.inconclusive()
  }
  return made
}

async function tryRecord(
  context: Context,
  { resource: { read }, created, step }: TrackedResources,
): Promise<void> {
  const before = read ? await doStep(context, read, created) : created
  const [since, at] = [momentOf(before, 'created_at'), momentOf(before, 'updated_at')]
  const changed = await doStep(context, step, created, { body: step.view.examples[0] })
  const moved = momentOf(changed, 'updated_at')
  if (since === undefined || at === undefined || !isSuccess(changed) || moved === undefined)
    return context.inconclusive()
  context.expect(
    before,
    at - since < (LATER * 1000) / 2 ? undefined : 'Expected updated_at to stay, and it moved.',
    {
      about: 'read',
    },
  )
  const message = 'Expected updated_at to move with the change, and it stayed.'
  context.expect(changed, moved - since > (LATER * 1000) / 2 ? undefined : message, { about: 'change' })
}

function momentOf({ body }: Exchange, name: string): number | undefined {
  const moment = Date.parse(String(nodeOf(body)[name]))
  return Number.isNaN(moment) ? undefined : moment
}
