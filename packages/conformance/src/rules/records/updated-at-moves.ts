import { isSuccess, type Scene } from '../../engine/context.ts'
import type { Law } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import { type Resource, resourcesOf, type Step } from '../../model/resources.ts'
import type { Exchange } from '../../transport/exchange.ts'
import { doStep } from './records.ts'

/** Seconds from the creation to the change, more than a service may leave out of its timestamps. */
const LATER = 60

/** A sandbox can be told to move its clock; no other service is waited for. */
export const updatedAtMoves: Law = {
  id: 'updated-at-moves',
  phase: 'time',
  stateful: true,
  isOfSandbox: true,
  title: 'A change moves updated_at, and a look does not.',
  advice: 'Set updated_at with whatever else is written, and never where a record is read.',
  run: async (scene) => {
    const made = await recordsOf(scene)
    if (made.length === 0 || !(await scene.clock.move(LATER))) return
    await scene.each(made, (it) => tryRecord(scene, it))
  },
}

interface Made {
  readonly resource: Resource
  readonly created: Exchange
  readonly step: Step
}

/** A record of each resource that can be changed. */
async function recordsOf(scene: Scene): Promise<Made[]> {
  const made: Made[] = []
  for (const resource of resourcesOf(scene.contract)) {
    const step = resource.update ?? resource.cancel
    if (!step || !scene.isAsked(step.view)) continue
    const created = await scene.accepted(resource.create.id)
    if (created) made.push({ resource, created, step })
    else scene.masked()
  }
  return made
}

async function tryRecord(scene: Scene, { resource: { read }, created, step }: Made): Promise<void> {
  const before = read ? await doStep(scene, read, created) : created
  const [since, at] = [momentOf(before, 'created_at'), momentOf(before, 'updated_at')]
  const changed = await doStep(scene, step, created, { body: step.view.examples[0] })
  const moved = momentOf(changed, 'updated_at')
  if (since === undefined || at === undefined || !isSuccess(changed) || moved === undefined)
    return scene.masked()
  scene.expect(
    before,
    at - since < (LATER * 1000) / 2 ? undefined : 'Expected updated_at to stay, and it moved.',
    {
      about: 'read',
    },
  )
  const message = 'Expected updated_at to move with the change, and it stayed.'
  scene.expect(changed, moved - since > (LATER * 1000) / 2 ? undefined : message, { about: 'change' })
}

function momentOf({ body }: Exchange, name: string): number | undefined {
  const moment = Date.parse(String(nodeOf(body)[name]))
  return Number.isNaN(moment) ? undefined : moment
}
