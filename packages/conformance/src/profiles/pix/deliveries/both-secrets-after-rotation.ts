import type { Context } from '../../../engine/context.ts'
import type { Rule } from '../../../engine/rule.ts'
import { nodeOf } from '../../../model/document.ts'
import type { Exchange } from '../../../model/exchange.ts'
import { cause, DELIVERING, delivered, isSignedBy, place, type Registered, register } from './helpers.ts'

export const deliveryBothSecretsAfterRotation: Rule = {
  id: 'delivery-both-secrets-after-rotation',
  phase: 'deliveries',
  cites: { question: 'secret-rotation' },
  needs: [...DELIVERING, 'rotateWebhookSecret'],
  stateful: true,
  title: 'After a regeneration both secrets sign for a day, so that a receiver can change over.',
  advice: 'Send a signature for each secret, separated by a space.',
  run: async (context) => {
    const [registered, bystander] = [await register(context), await register(context)]
    const path = { webhook_id: registered?.id ?? '' }
    const rotated =
      registered && (await context.send(context.contract.operation('rotateWebhookSecret'), { path }))
    const { secret } = nodeOf(rotated?.body)
    const cancelled = typeof secret === 'string' ? await cause(context) : undefined
    const [delivery] = registered && cancelled ? await delivered(context, registered.inbox, cancelled) : []
    if (!registered || !cancelled || !delivery) return context.inconclusive()
    await isLeftAlone(context, bystander, cancelled)
    for (const [words, key] of [
      ['new', String(secret)],
      ['old', registered.secret],
    ] as const) {
      const isGood = await isSignedBy(delivery, key)
      const message = `Expected the ${words} secret to sign after the regeneration, and it does not.`
      context.expect(cancelled, isGood ? undefined : message, {
        ...place(context),
        operation: 'rotateWebhookSecret',
        about: words,
      })
    }
  },
}

/** Another webhook, whose secret nobody asked to change. */
async function isLeftAlone(
  context: Context,
  other: Registered | undefined,
  cancelled: Exchange,
): Promise<void> {
  const [delivery] = other ? await delivered(context, other.inbox, cancelled) : []
  if (!other || !delivery) return context.inconclusive()
  const message = 'Expected the secret of another webhook to sign as before, and it does not.'
  context.expect(cancelled, (await isSignedBy(delivery, other.secret)) ? undefined : message, {
    ...place(context),
    operation: 'rotateWebhookSecret',
    about: 'other',
  })
}
