import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { renewed } from '../../generate/fresh-values.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import type { Step } from '../../model/resources.ts'
import { isRead } from '../../transport/tracked-resources.ts'
import { MAY_BE_MADE, mayBeMade } from '../records/missing-records.ts'
import { bodyOf, doStep, withRecords } from '../records/record-steps.ts'
import { asking, ownedIn } from './owned-resources.ts'

/** An answer that differs from the one to an unknown id tells that the record is there. */
export const foreignRecordHidden: Rule = {
  id: 'foreign-record-hidden',
  phase: 'authorization',
  cites: { convention: 'refusals' },
  requires: 'other',
  stateful: true,
  impact: 'high',
  title: "A record of another partner's is answered as one that does not exist.",
  advice: 'Look records up by their owner and their id, and answer 404 for both kinds of absence.',
  run: (context) =>
    withRecords(
      context,
      ownedIn(context.contract),
      async ({ create, read, update, remove, cancel, act }, created) => {
        for (const step of asking([read, update, act, cancel, remove])) {
          const body = bodyOf(context, step)
          const exchange = await doStep(context, step, created, { body, identity: 'other' })
          const { status } = exchange.response
          const message = `Expected 404 for a record of another partner's, got ${status}.`
          const isShown = isSuccess(exchange)
          // It may have done nothing, or made a record of the other's own: whether this one was left is asked below.
          if (mayBeMade(context.contract, exchange)) {
            context.inconclusive(MAY_BE_MADE)
            continue
          }
          if (status === 400 || status === 422) {
            context.inconclusive(INVALID_FIRST)
            continue
          }
          // How it is refused is an answer of ours.
          const isExact = context.contract.conventions.refusals !== undefined
          // That it is shown at all breaks what credentials are for, whatever the register says.
          context.expect(exchange, status === 404 || !(isShown || isExact) ? undefined : message, {
            contract: create.pointer,
            about: step.view.id,
            ...(isShown && { question: undefined }),
          })
          if (isExact) await isLikeNone(context, { step, body, exchange })
        }
        if (!read) return
        const kept = await doStep(context, read, created)
        context.expect(
          kept,
          kept.response.status === 200
            ? undefined
            : 'Expected the record to be left as it was, and it is not.',
          { about: 'kept', question: undefined },
        )
      },
    ),
}

/** Why a refusal says nothing about the owner. */
const INVALID_FIRST = 'the request is refused as invalid before its owner is looked at'

interface Refused {
  readonly step: Step
  readonly body: unknown
  readonly exchange: Exchange
}

/** Another code than that of an id which nobody has tells as much as another status. */
async function isLikeNone(context: Context, { step, body, exchange }: Refused): Promise<void> {
  // A live service is not told to change what somebody may have.
  if (exchange.response.status !== 404 || (context.target === 'live' && !isRead(step.view))) return
  const { path = {} } = exchange.input
  const unknown = Object.fromEntries(
    Object.entries(path).map(([name, id]) => [name, renewed(id, context.random, id.length)]),
  )
  const none = await context.send(step.view, { path: unknown, body }, { identity: 'other' })
  const isSame = none.response.status !== 404 || nodeOf(none.body).code === nodeOf(exchange.body).code
  context.expect(exchange, isSame ? undefined : 'Expected the code of an id that nobody has, got another.', {
    about: `${step.view.id} code`,
  })
}
