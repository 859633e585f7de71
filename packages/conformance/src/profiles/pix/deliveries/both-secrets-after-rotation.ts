import type { Scene } from '../../../engine/context.ts'
import type { Law } from '../../../engine/rule.ts'
import { nodeOf } from '../../../model/document.ts'
import type { Exchange } from '../../../transport/exchange.ts'
import { cause, DELIVERING, delivered, isSignedBy, place, type Registered, register } from './helpers.ts'

export const deliveryBothSecretsAfterRotation: Law = {
  id: 'delivery-both-secrets-after-rotation',
  phase: 'deliveries',
  question: 'secret-rotation',
  needs: [...DELIVERING, 'rotateWebhookSecret'],
  stateful: true,
  title: 'After a regeneration both secrets sign for a day, so that a receiver can change over.',
  advice: 'Send a signature for each secret, separated by a space.',
  run: async (scene) => {
    const [registered, bystander] = [await register(scene), await register(scene)]
    const path = { webhook_id: registered?.id ?? '' }
    const rotated =
      registered && (await scene.send(scene.contract.operation('rotateWebhookSecret'), { path }))
    const { secret } = nodeOf(rotated?.body)
    const cancelled = typeof secret === 'string' ? await cause(scene) : undefined
    const [delivery] = registered && cancelled ? await delivered(scene, registered.inbox, cancelled) : []
    if (!registered || !cancelled || !delivery) return scene.masked()
    await isLeftAlone(scene, bystander, cancelled)
    for (const [words, key] of [
      ['new', String(secret)],
      ['old', registered.secret],
    ] as const) {
      const isGood = await isSignedBy(delivery, key)
      const message = `Expected the ${words} secret to sign after the regeneration, and it does not.`
      scene.expect(cancelled, isGood ? undefined : message, {
        ...place(scene),
        operation: 'rotateWebhookSecret',
        about: words,
      })
    }
  },
}

/** Another webhook, whose secret nobody asked to change. */
async function isLeftAlone(scene: Scene, other: Registered | undefined, cancelled: Exchange): Promise<void> {
  const [delivery] = other ? await delivered(scene, other.inbox, cancelled) : []
  if (!other || !delivery) return scene.masked()
  const message = 'Expected the secret of another webhook to sign as before, and it does not.'
  scene.expect(cancelled, (await isSignedBy(delivery, other.secret)) ? undefined : message, {
    ...place(scene),
    operation: 'rotateWebhookSecret',
    about: 'other',
  })
}
