import type { Context } from '../../../engine/context.ts'
import type { Rule } from '../../../engine/rule.ts'
import type { Exchange } from '../../../model/exchange.ts'
import { isSuccess } from '../../../model/exchange.ts'
import type { Delivery, Inbox } from '../../../transport/receiver.ts'
import { PAYING, transfer, transferToKey } from '../payments.ts'
import {
  about,
  cause,
  DELIVERING,
  delivered,
  isSignedBy,
  place,
  type Registered,
  register,
  SILENCE,
} from './helpers.ts'

export const deliveryFollowsUpdate: Rule = {
  id: 'delivery-follows-update',
  phase: 'deliveries',
  cites: { question: 'webhook-types' },
  needs: [...DELIVERING, 'updateWebhook'],
  stateful: true,
  impact: 'high',
  title: 'A webhook that was changed receives what its new type says, at its new URL, by its old secret.',
  advice: 'Read the webhook when an event is delivered, and change no secret but by regenerating it.',
  run: async (context) => {
    const [changed, kept] = await Promise.all([register(context), register(context)])
    const inbox = context.receiver?.open()
    if (!changed || !kept || !inbox || !(await updated(context, changed, inbox)))
      return context.inconclusive()
    const cancelled = await cause(context)
    // The other webhook tells that there was something to be delivered.
    if (!cancelled || (await delivered(context, kept.inbox, cancelled)).length === 0)
      return context.inconclusive()
    // By then the event is on its way to both.
    const [delivery] = await delivered(context, inbox, cancelled, inbox.patienceMs / 2)
    const message = 'Expected a delivery at the URL of the update, and none came.'
    context.expect(cancelled, delivery ? undefined : message, { ...at(context), about: 'url' })
    if (delivery) await isSigned(context, cancelled, { delivery, secret: changed.secret })
    isLeft(context, changed, cancelled)
    await tryType(context, { inbox, kept })
  },
}

function at(context: Context) {
  return { ...place(context), operation: 'updateWebhook' }
}

/** To inactive and back, so that what was once inactive is seen to be told again. */
async function updated(context: Context, { id }: Registered, { url }: Inbox): Promise<boolean> {
  const view = context.contract.operation('updateWebhook')
  for (const status of ['inactive', 'active']) {
    const body = { status, type: 'qrcode', url }
    if (!isSuccess(await context.send(view, { path: { webhook_id: id }, body }))) return false
  }
  return true
}

interface Signed {
  readonly delivery: Delivery
  readonly secret: string
}

async function isSigned(context: Context, cancelled: Exchange, { delivery, secret }: Signed): Promise<void> {
  const isGood = await isSignedBy(delivery, secret)
  const message = 'Expected the secret to sign after an update as before, and it does not.'
  context.expect(cancelled, isGood ? undefined : message, { ...at(context), about: 'secret' })
}

function isLeft(context: Context, { inbox }: Registered, cancelled: Exchange): void {
  const came = about(inbox.deliveries, cancelled).length > 0
  const message = 'Expected nothing at the URL before the update, got a delivery.'
  context.expect(cancelled, came ? message : undefined, { ...at(context), about: 'old url' })
}

interface Told {
  readonly inbox: Inbox
  readonly kept: Registered
}

/** What the type of the update leaves out. */
async function tryType(context: Context, { inbox, kept }: Told): Promise<void> {
  if (!context.contract.has(...PAYING) || !context.may(context.contract.operation('createTransfer'))) return
  const input = await transferToKey(context)
  const paid = input && (await transfer(context, input))
  if (!paid || !isSuccess(paid) || (await delivered(context, kept.inbox, paid)).length === 0)
    return context.inconclusive()
  await context.pause(SILENCE)
  const came = about(inbox.deliveries, paid).length > 0
  const message = 'Expected no event of a transfer once the type is qrcode, got one.'
  context.expect(paid, came ? message : undefined, { ...at(context), about: 'type' })
}
