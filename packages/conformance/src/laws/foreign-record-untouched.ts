import type { Law } from '../law.ts'
import type { Exchange } from '../run/exchange.ts'
import { doStep, withRecords } from '../run/records.ts'
import { resourcesOf } from '../run/resources.ts'
import { isSuccess } from '../run/scene.ts'
import { strangersOf } from '../run/strangers.ts'

export const foreignRecordUntouched: Law = {
  id: 'foreign-record-untouched',
  phase: 'authorization',
  identity: 'other',
  stateful: true,
  atStake: true,
  title: 'What another partner sends leaves a record as it is.',
  advice: 'Change and delete records by their owner and their id.',
  run: (scene) =>
    withRecords(
      scene,
      resourcesOf(scene.contract),
      async ({ read, update, cancel, remove, act }, created) => {
        for (const { who, question, words } of strangersOf(scene))
          for (const step of [update, act, cancel, remove]) {
            if (!step) continue
            const body = step.view.bodyPointer === undefined ? undefined : step.view.examples[0]
            // Anew for each, so that what one has changed is not laid to the next.
            const before = read && (await doStep(scene, read, created))
            const exchange = await doStep(scene, step, created, { body, who })
            const after = read && (await doStep(scene, read, created))
            const isChanged = before && after ? isOther(before, after) : isSuccess(exchange)
            const message = `Expected the request of ${words} to change nothing, and it did.`
            scene.expect(exchange, isChanged ? message : undefined, { question })
          }
      },
    ),
}

/** Whether a record that was there is another now, or gone. */
function isOther(before: Exchange, after: Exchange): boolean {
  return isSuccess(before) && before.reply.text !== after.reply.text
}
