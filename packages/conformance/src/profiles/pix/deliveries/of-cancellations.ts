import type { Context } from '../../../engine/context.ts'
import type { Rule } from '../../../engine/rule.ts'
import { nodeOf } from '../../../model/document.ts'
import { type Exchange, isSuccess } from '../../../model/exchange.ts'
import { jsonIn } from '../../../model/http.ts'
import { type Resource, resourcesOf } from '../../../model/resources.ts'
import { differingMember } from '../../../rules/records/differing-member.ts'
import { doStep } from '../../../rules/records/records.ts'
import { about, DELIVERING, delivered, idsOf, place, type Registered, register, SILENCE } from './helpers.ts'

export const deliveryOfCancellations: Rule = {
  id: 'delivery-of-cancellations',
  phase: 'deliveries',
  cites: { question: 'event-kinds' },
  needs: DELIVERING,
  stateful: true,
  title: 'That a QR code of either kind was cancelled is told once, with the code as it is then.',
  advice:
    'Write the event in the transaction that cancels, and none where there is nothing to cancel any more.',
  run: async (context) => {
    const resources = resourcesOf(context.contract).filter(
      ({ create, cancel }) => cancel && context.may(create),
    )
    const registered = await register(context, { type: 'qrcode' })
    if (!registered) return context.inconclusive()
    await context.each(resources, (resource) => tryKind(context, registered, resource))
  },
}

async function tryKind(context: Context, { inbox }: Registered, { create, cancel }: Resource): Promise<void> {
  const created = await context.accepted(create.id)
  const cancelled = created && cancel && (await doStep(context, cancel, created))
  if (!cancel || !cancelled || !isSuccess(cancelled)) return context.inconclusive()
  const [delivery] = await delivered(context, inbox, cancelled)
  isReported(context, cancelled, delivery && nodeOf(jsonIn(delivery.text)))
  // A second cancellation does nothing, so that there is nothing to tell.
  if (!delivery || !isSuccess(await doStep(context, cancel, created))) return context.inconclusive()
  await context.pause(SILENCE)
  const { length } = idsOf(about(inbox.deliveries, cancelled))
  const message = `Expected one event of a code that is cancelled twice, got ${length}.`
  context.expect(cancelled, length > 1 ? message : undefined, {
    ...place(context),
    about: `${create.id} again`,
  })
}

function isReported(
  context: Context,
  cancelled: Exchange,
  event: Readonly<Record<string, unknown>> | undefined,
): void {
  const at = { ...place(context), about: String(cancelled.view?.id) }
  const none = 'Expected a delivery after the cancellation of a QR code, and none came.'
  const name = event && differingMember(cancelled.body, event.data)
  const message = event ? name && `Expected "${name}" of the code in its event, got another value.` : none
  context.expect(cancelled, message, at)
}
