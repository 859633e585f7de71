import type { Law } from '../law.ts'
import { isAbsent, MAY_BE_MADE, mayBeMade } from '../run/absence.ts'
import type { Exchange } from '../run/exchange.ts'
import { doStep, withRecords } from '../run/records.ts'
import { resourcesOf, type Step } from '../run/resources.ts'
import { isSuccess, type Scene } from '../run/scene.ts'

export const goneAfterDeletion: Law = {
  id: 'gone-after-deletion',
  phase: 'lifecycles',
  isTraffic: true,
  stateful: true,
  title: 'What was deleted is neither read nor changed any more.',
  advice: 'Let the deletion be seen by every operation at once.',
  run: (scene) =>
    withRecords(scene, resourcesOf(scene.contract), async ({ read, update, act, remove }, created) => {
      if (!remove) return
      const steps = [read, update, act].filter((it) => it !== undefined)
      // Only what is accepted before the deletion is refused because of it.
      const taken: Step[] = []
      for (const step of steps) {
        if (isSuccess(await tried(scene, step, created))) taken.push(step)
        else scene.masked()
      }
      if (!isSuccess(await doStep(scene, remove, created))) return scene.masked()
      for (const step of taken) judge(scene, step, await tried(scene, step, created))
    }),
}

function tried(scene: Scene, step: Step, created: Exchange): Promise<Exchange> {
  const body = step.view.bodyPointer === undefined ? undefined : step.view.examples[0]
  return doStep(scene, step, created, { body })
}

function judge(scene: Scene, { view }: Step, exchange: Exchange): void {
  const message = `Expected 404 for what was deleted, got ${exchange.reply.status}.`
  if (mayBeMade(scene.contract, exchange)) scene.masked(MAY_BE_MADE)
  else scene.expect(exchange, isAbsent(exchange) ? undefined : message, { about: view.id })
}
