import type { Law } from '../law.ts'
import { asking, ownedIn } from '../run/owned.ts'
import { doStep, withRecords } from '../run/records.ts'

/** An answer that differs from the one to an unknown id tells that the record is there. */
export const foreignRecordHidden: Law = {
  id: 'foreign-record-hidden',
  phase: 'authorization',
  question: 'errors',
  identity: 'other',
  stateful: true,
  atStake: true,
  title: "A record of another partner's is answered as one that does not exist.",
  advice: 'Look records up by their owner and their id, and answer 404 for both kinds of absence.',
  run: (scene) =>
    withRecords(
      scene,
      ownedIn(scene.contract),
      async ({ create, read, update, remove, cancel, act }, created) => {
        for (const step of asking([read, update, act, cancel, remove])) {
          const body = step.view.bodyPointer === undefined ? undefined : step.view.examples[0]
          const exchange = await doStep(scene, step, created, { body, who: 'other' })
          const { status } = exchange.reply
          const message = `Expected 404 for a record of another partner's, got ${status}.`
          const isShown = status >= 200 && status < 300
          // That it is shown at all breaks what credentials are for, whatever the register says.
          scene.expect(exchange, status === 404 ? undefined : message, {
            contract: create.pointer,
            about: step.view.id,
            ...(isShown && { question: undefined }),
          })
        }
        if (!read) return
        const kept = await doStep(scene, read, created)
        scene.expect(
          kept,
          kept.reply.status === 200 ? undefined : 'Expected the record to be left as it was, and it is not.',
          { about: 'kept', question: undefined },
        )
      },
    ),
}
