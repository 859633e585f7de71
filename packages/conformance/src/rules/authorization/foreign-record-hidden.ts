import { isSuccess, type Scene } from '../../engine/context.ts'
import type { Law } from '../../engine/rule.ts'
import { renewed } from '../../generate/values.ts'
import { nodeOf } from '../../model/document.ts'
import type { Step } from '../../model/resources.ts'
import type { Exchange } from '../../transport/exchange.ts'
import { asking, ownedIn } from '../../transport/owned.ts'
import { isRead } from '../../transport/tracked-resources.ts'
import { MAY_BE_MADE, mayBeMade } from '../records/absence.ts'
import { bodyOf, doStep, withRecords } from '../records/records.ts'

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
          const body = bodyOf(step)
          const exchange = await doStep(scene, step, created, { body, who: 'other' })
          const { status } = exchange.reply
          const message = `Expected 404 for a record of another partner's, got ${status}.`
          const isShown = isSuccess(exchange)
          // It may have done nothing, or made a record of the other's own: whether this one was left is asked below.
          if (mayBeMade(scene.contract, exchange)) {
            scene.masked(MAY_BE_MADE)
            continue
          }
          // How it is refused is an answer of ours.
          const isExact = scene.contract.questions.has('errors')
          // That it is shown at all breaks what credentials are for, whatever the register says.
          scene.expect(exchange, status === 404 || !(isShown || isExact) ? undefined : message, {
            contract: create.pointer,
            about: step.view.id,
            ...(isShown && { question: undefined }),
          })
          if (isExact) await isLikeNone(scene, { step, body, exchange })
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

interface Refused {
  readonly step: Step
  readonly body: unknown
  readonly exchange: Exchange
}

/** Another code than that of an id which nobody has tells as much as another status. */
async function isLikeNone(scene: Scene, { step, body, exchange }: Refused): Promise<void> {
  // A live service is not told to change what somebody may have.
  if (exchange.reply.status !== 404 || (scene.target === 'live' && !isRead(step.view))) return
  const { path = {} } = exchange.input
  const unknown = Object.fromEntries(
    Object.entries(path).map(([name, id]) => [name, renewed(id, scene.random, id.length)]),
  )
  const none = await scene.send(step.view, { path: unknown, body }, { who: 'other' })
  const isSame = none.reply.status !== 404 || nodeOf(none.body).code === nodeOf(exchange.body).code
  scene.expect(exchange, isSame ? undefined : 'Expected the code of an id that nobody has, got another.', {
    about: `${step.view.id} code`,
  })
}
