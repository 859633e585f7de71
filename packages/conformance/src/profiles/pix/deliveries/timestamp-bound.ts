import { createHmac } from 'node:crypto'
import type { Rule } from '../../../engine/rule.ts'
import { DELIVERING, oneDelivery, place } from './helpers.ts'

/** Seconds that receivers tolerate. */
const TOLERANCE = 300

export const deliveryTimestampBound: Rule = {
  id: 'delivery-timestamp-bound',
  phase: 'deliveries',
  cites: { question: 'signature' },
  needs: DELIVERING,
  stateful: true,
  impact: 'high',
  title: 'The signature of a delivery holds its timestamp, which is that of the attempt.',
  advice:
    'Sign id, timestamp and body, with the time of this attempt: else an old delivery can be sent again.',
  run: async (context) => {
    const it = await oneDelivery(context)
    if (!it?.delivery) return context.inconclusive()
    const { headers, text } = it.delivery
    const seconds = Number(headers['webhook-timestamp'])
    const isNow = Math.abs(seconds - context.clock.now() / 1000) <= TOLERANCE
    context.expect(it.cancelled, isNow ? undefined : 'Expected the timestamp of the attempt, got another.', {
      ...place(context),
      about: 'now',
    })
    const signature = headers['webhook-signature']
    if (signature === undefined) return context.inconclusive()
    const key = Buffer.from(it.registered.secret.replace('whsec_', ''), 'base64')
    const unbound = [`${headers['webhook-id']}.${text}`, text].map((signed) =>
      createHmac('sha256', key).update(signed).digest('base64'),
    )
    const isUnbound = unbound.some((it) => signature.includes(it))
    context.expect(
      it.cancelled,
      isUnbound ? 'Expected the signature to hold the timestamp, and it does not.' : undefined,
      { ...place(context), about: 'bound' },
    )
  },
}
