import { verify, WebhookError } from '@partner-payments/webhooks'
import type { Law } from '../../../engine/rule.ts'
import { DELIVERING, oneDelivery, place } from './helpers.ts'

export const deliverySigned: Law = {
  id: 'delivery-signed',
  phase: 'deliveries',
  question: 'signature',
  needs: DELIVERING,
  stateful: true,
  atStake: true,
  title:
    'A delivery is signed with the secret of its webhook, over its id, its timestamp and its very bytes.',
  advice: 'Sign what is sent, as it is sent (Standard Webhooks 1.0.0, "Signature scheme").',
  run: async (scene) => {
    const it = await oneDelivery(scene)
    if (!it?.delivery) return scene.masked()
    const { headers, text } = it.delivery
    const failure = await verify(text, headers, it.registered.secret, { now: scene.clock.now }).then(
      () => undefined,
      (error: unknown) => (error instanceof WebhookError ? error.code : 'unknown'),
    )
    scene.expect(it.cancelled, failure && `Expected a delivery that verifies, got ${failure}.`, place(scene))
  },
}
