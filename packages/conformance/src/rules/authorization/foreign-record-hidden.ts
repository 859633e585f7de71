import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { renewed } from '../../generate/fresh-values.ts'
import { nodeOf } from '../../model/document.ts'
import { type Exchange, isSuccess } from '../../model/exchange.ts'
import type { Step } from '../../model/resources.ts'
import { isRead } from '../../transport/tracked-resources.ts'
import { bodyOf, doStep, withRecords } from '../common/record-steps.ts'
import { actionsOfOwner, authenticatedSteps, ownedResources } from './owned-resources.ts'

/** A response that differs from that for an unknown id reveals that the record exists. */
export const foreignRecordHidden: Rule = {
  id: 'foreign-record-hidden',
  phase: 'authorization',
  cites: { convention: 'refusals' },
  requires: 'other',
  stateful: true,
  impact: 'high',
  title: 'A record of another partner gets the same response as an unknown id.',
  advice: 'Look up records by owner and id in one query, and return 404 if there is none.',
  run: (context) =>
    withRecords(context, ownedResources(context.contract), async (resource, created) => {
      const { create, read, update, remove, cancel } = resource
      const actions = await actionsOfOwner(context, resource, { created, identity: 'other' })
      for (const step of authenticatedSteps([read, update, ...actions, cancel, remove])) {
        const body = bodyOf(context, step)
        const exchange = await doStep(context, step, created, { body, identity: 'other' })
        const { status } = exchange.response
        const message = `Expected 404 for a record of another partner, got ${status}.`
        const isShown = isSuccess(exchange)
        if (status === 400 || status === 422) {
          context.inconclusive(INVALID_FIRST)
          continue
        }
        // To show the record is a failure; what another caller gets is an assumption.
        context.expect(exchange, status === 404 ? undefined : message, {
          contract: create.pointer,
          about: step.view.id,
          ...(isShown ? { question: undefined } : { cites: { convention: 'owners' } }),
        })
        await expectUnknownCode(context, { step, body, exchange })
      }
      if (!read) return
      const kept = await doStep(context, read, created)
      context.expect(
        kept,
        kept.response.status === 200
          ? undefined
          : `Expected the record to be unchanged, got ${kept.response.status}.`,
        { about: 'kept', question: undefined },
      )
    }),
}

/** The reason why a refusal does not show whether the owner was checked. */
const INVALID_FIRST = 'the request was refused as invalid, before its owner was checked'

interface Refused {
  readonly step: Step
  readonly body: unknown
  readonly exchange: Exchange
}

/** Another code than that for an unknown id reveals the record as another status does. */
async function expectUnknownCode(context: Context, { step, body, exchange }: Refused): Promise<void> {
  // On a live service, a random id may be that of somebody's record, so it is only read.
  if (exchange.response.status !== 404 || (context.target === 'live' && !isRead(step.view))) return
  const { path = {} } = exchange.input
  const unknown = Object.fromEntries(
    Object.entries(path).map(([name, id]) => [name, renewed(id, context.random, id.length)]),
  )
  const missing = await context.send(step.view, { path: unknown, body }, { identity: 'other' })
  const isSame = missing.response.status !== 404 || nodeOf(missing.body).code === nodeOf(exchange.body).code
  context.expect(exchange, isSame ? undefined : 'Expected the code of an unknown id, got another one.', {
    about: `${step.view.id} code`,
  })
}
