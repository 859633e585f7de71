import { isSuccess, type Scene } from '../../engine/context.ts'
import { isRefusal } from '../../engine/refusal.ts'
import type { Law } from '../../engine/rule.ts'
import { type Resource, resourcesOf, type Step } from '../../model/resources.ts'
import type { Exchange } from '../../transport/exchange.ts'
import { isAbsent, MAY_BE_MADE, mayBeMade } from './absence.ts'
import { bodyOf, doStep, withRecords } from './records.ts'
import { madeUnusual } from './unusual-values.ts'

export const goneAfterDeletion: Law = {
  id: 'gone-after-deletion',
  phase: 'lifecycles',
  isTraffic: true,
  stateful: true,
  title:
    'What is made can be deleted, whatever its status, and what was deleted is neither read nor changed any more.',
  advice: 'Let the deletion be seen by every operation at once.',
  run: (scene) =>
    withRecords(scene, resourcesOf(scene.contract), async (resource, created) => {
      const { read, update, act, remove } = resource
      if (!remove) return
      const steps = [read, update, act].filter((it) => it !== undefined)
      // Only what is accepted before the deletion is refused because of it.
      const taken: Step[] = []
      for (const step of steps) {
        if (isSuccess(await tried(scene, step, created))) taken.push(step)
        else scene.masked()
      }
      await madeUnusual(scene, resource, created)
      const isTaken = await isDeleted(scene, resource)
      const removed = await doStep(scene, remove, created)
      const refused = `Expected the deletion of what was made here, got ${removed.reply.status}.`
      // Only where another one is deleted, it is its status that this one is refused for.
      if (isTaken && isRefusal(removed, [404]))
        return void scene.expect(removed, refused, { about: 'remove' })
      if (!isSuccess(removed)) return scene.masked()
      for (const step of taken) judge(scene, step, await tried(scene, step, created))
    }),
}

function tried(scene: Scene, step: Step, created: Exchange): Promise<Exchange> {
  const body = bodyOf(step)
  return doStep(scene, step, created, { body })
}

function judge(scene: Scene, { view }: Step, exchange: Exchange): void {
  const message = `Expected 404 for what was deleted, got ${exchange.reply.status}.`
  if (mayBeMade(scene.contract, exchange)) scene.masked(MAY_BE_MADE)
  else scene.expect(exchange, isAbsent(exchange) ? undefined : message, { about: view.id })
}

/** Whether a record is deleted that is as it was made. */
async function isDeleted(scene: Scene, { create, remove }: Resource): Promise<boolean> {
  const other = await scene.accepted(create.id)
  return remove !== undefined && other !== undefined && isSuccess(await doStep(scene, remove, other))
}
