import { isSuccess } from '../../engine/context.ts'
import { expectRefusal } from '../../engine/refusal.ts'
import type { Law } from '../../engine/rule.ts'
import { asking, ownedIn } from '../../transport/owned.ts'
import { isGone, MAY_BE_MADE, mayBeMade } from '../records/absence.ts'
import { isAsSeen, seen } from '../records/observed.ts'
import { bodyOf, doStep, withRecords } from '../records/records.ts'
import { strangersOf } from './invalid-credentials.ts'

export const foreignRecordUntouched: Law = {
  id: 'foreign-record-untouched',
  phase: 'authorization',
  identity: 'other',
  stateful: true,
  atStake: true,
  title: 'What another partner sends leaves a record as it is.',
  advice: 'Change and delete records by their owner and their id.',
  run: (scene) =>
    withRecords(scene, ownedIn(scene.contract), async ({ read, update, cancel, remove, act }, created) => {
      for (const { who, question, words } of strangersOf(scene))
        for (const step of asking([update, act, cancel, remove])) {
          const body = bodyOf(step)
          // Anew for each, so that what one has changed is not laid to the next.
          const before = read && (await seen(scene, read, created))
          const exchange = await doStep(scene, step, created, { body, who })
          const after = read && (await doStep(scene, read, created))
          const message = `Expected the request of ${words} to change nothing, and it did.`
          if ((!before || !after) && mayBeMade(scene.contract, exchange)) scene.masked(MAY_BE_MADE)
          else if (!before || !after) expectRefusal(scene, exchange, message, { also: [401, 404], question })
          else if (!isSuccess(before.exchange) || !(isSuccess(after) || isGone(after))) scene.masked()
          else scene.expect(exchange, isAsSeen(before, after) ? undefined : message, { question })
        }
    }),
}
