import type { Rule } from '../../engine/rule.ts'
import { citing } from '../common/declared-sources.ts'
import { causeOne } from './causes.ts'
import {
  ABOUT_DELIVERIES,
  declaredDeliveries,
  delivered,
  placeIn,
  signatureFault,
  subscribe,
} from './subscribers.ts'

export const deliveriesSigned: Rule = {
  id: 'deliveries-signed',
  phase: 'deliveries',
  ...ABOUT_DELIVERIES,
  impact: 'high',
  title: 'A delivery is signed with the secret of its webhook, over its id, its time and its exact bytes.',
  advice:
    'Sign the bytes that are sent, with the time of this attempt (Standard Webhooks 1.0.0, "Signature scheme").',
  run: async (context) => {
    const declared = declaredDeliveries(context)
    const subscriber = declared && (await subscribe(context, declared))
    const occurrence = subscriber && (await causeOne(context))
    const [delivery] = occurrence ? await delivered(context, subscriber.inbox, occurrence) : []
    if (!declared || !occurrence || !delivery) return context.inconclusive('no delivery arrived')
    const fault = await signatureFault(delivery, subscriber.secret, context.clock.now)
    const message = fault && `A delivery cannot be verified with the secret of its webhook: ${fault}.`
    context.expect(occurrence.exchange, message, {
      ...placeIn(context, declared),
      ...citing(declared.deliveries.signature),
      about: fault ?? '',
    })
  },
}
