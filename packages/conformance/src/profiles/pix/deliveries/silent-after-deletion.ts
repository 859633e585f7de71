import type { Context } from '../../../engine/context.ts'
import type { Rule } from '../../../engine/rule.ts'
import type { Exchange } from '../../../model/exchange.ts'
import { isSuccess } from '../../../model/exchange.ts'
import {
  about,
  cause,
  DELIVERING,
  delivered,
  place,
  type Registered,
  register,
  SECOND_ATTEMPT,
  SILENCE,
} from './helpers.ts'

/** Milliseconds in which what was sent before the deletion may still arrive. */
const UNDER_WAY = 300

export const deliverySilentAfterDeletion: Rule = {
  id: 'delivery-silent-after-deletion',
  phase: 'deliveries',
  cites: { statement: 'webhooks-managed' },
  needs: [...DELIVERING, 'deleteWebhook'],
  stateful: true,
  impact: 'high',
  waits: 'later',
  title: 'A webhook that was deleted receives nothing, not even what was to be sent again.',
  advice: 'Drop what was still to be sent, and send nothing more.',
  run: async (context) => {
    await Promise.all([tryNew(context), tryAgain(context)])
  },
}

/** What happens after the deletion. */
async function tryNew(context: Context): Promise<void> {
  const [gone, kept] = await Promise.all([register(context), register(context)])
  const removed = gone && (await deleted(context, gone))
  if (!gone || !kept || !removed) return context.inconclusive()
  const cancelled = await cause(context)
  // The other one tells that there was something to be delivered.
  const isReported = cancelled && (await delivered(context, kept.inbox, cancelled)).length > 0
  await deleted(context, kept)
  if (!cancelled || !isReported) return context.inconclusive()
  await context.pause(SILENCE)
  isSilent(context, cancelled, about(gone.inbox.deliveries, cancelled).length > 0)
}

/** What was tried before the deletion, and failed. */
async function tryAgain(context: Context): Promise<void> {
  const gone = await register(context, { answer: () => 500 })
  const cancelled = gone && (await cause(context))
  const [first] = gone && cancelled ? await delivered(context, gone.inbox, cancelled) : []
  if (!gone || !cancelled || !first || !(await deleted(context, gone))) return context.inconclusive()
  await context.pause(UNDER_WAY)
  const before = about(gone.inbox.deliveries, cancelled).length
  await context.pause(SECOND_ATTEMPT)
  isSilent(context, cancelled, about(gone.inbox.deliveries, cancelled).length > before)
}

async function deleted(context: Context, { id }: Registered): Promise<boolean> {
  return isSuccess(
    await context.send(context.contract.operation('deleteWebhook'), { path: { webhook_id: id } }),
  )
}

function isSilent(context: Context, cancelled: Exchange, isReported: boolean): void {
  const message = 'Expected nothing for a webhook that was deleted, got a delivery.'
  context.expect(cancelled, isReported ? message : undefined, {
    ...place(context),
    operation: 'deleteWebhook',
  })
}
