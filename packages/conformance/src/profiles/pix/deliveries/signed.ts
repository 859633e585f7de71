import { verify, WebhookError } from '@partner-payments/webhooks'
import type { Rule } from '../../../engine/rule.ts'
import { DELIVERING, oneDelivery, place } from './helpers.ts'

export const deliverySigned: Rule = {
  id: 'delivery-signed',
  phase: 'deliveries',
  cites: { question: 'signature' },
  needs: DELIVERING,
  stateful: true,
  impact: 'high',
  title:
    'A delivery is signed with the secret of its webhook, over its id, its timestamp and its very bytes.',
  advice: 'Sign what is sent, as it is sent (Standard Webhooks 1.0.0, "Signature scheme").',
  run: async (context) => {
    const it = await oneDelivery(context)
    if (!it?.delivery) return context.inconclusive()
    const { headers, text } = it.delivery
    const failure = await verify(text, headers, it.registered.secret, { now: context.clock.now }).then(
      () => undefined,
      (error: unknown) => (error instanceof WebhookError ? error.code : 'unknown'),
    )
    context.expect(
      it.cancelled,
      failure && `Expected a delivery that verifies, got ${failure}.`,
      place(context),
    )
  },
}
