import { verify } from '@partner-payments/webhooks'
import type { Law } from '../law.ts'
import { cause, DELIVERING, delivered, place, register } from '../run/deliveries.ts'
import { nodeOf } from '../run/document.ts'

export const deliveryBothSecretsAfterRotation: Law = {
  id: 'delivery-both-secrets-after-rotation',
  phase: 'deliveries',
  question: 'secret-rotation',
  needs: [...DELIVERING, 'rotateWebhookSecret'],
  stateful: true,
  title: 'After a regeneration both secrets sign for a day, so that a receiver can change over.',
  advice: 'Send a signature for each secret, separated by a space.',
  run: async (scene) => {
    const registered = await register(scene)
    const path = { webhook_id: registered?.id ?? '' }
    const rotated =
      registered && (await scene.send(scene.contract.operation('rotateWebhookSecret'), { path }))
    const { secret } = nodeOf(rotated?.body)
    const cancelled = typeof secret === 'string' ? await cause(scene) : undefined
    const [delivery] = registered && cancelled ? await delivered(registered.inbox, cancelled) : []
    if (!registered || !cancelled || !delivery) return scene.masked()
    for (const [words, key] of [
      ['new', String(secret)],
      ['old', registered.secret],
    ] as const) {
      const isGood = await verify(delivery.text, delivery.headers, key, { now: scene.clock.now }).then(
        () => true,
        () => false,
      )
      const message = `Expected the ${words} secret to sign after the regeneration, and it does not.`
      scene.expect(cancelled, isGood ? undefined : message, {
        ...place(scene),
        operation: 'rotateWebhookSecret',
        about: words,
      })
    }
  },
}
