import type { Scene } from '../../../engine/context.ts'
import type { Law } from '../../../engine/rule.ts'
import { nodeOf } from '../../../model/document.ts'
import { signInAnew } from '../../../rules/customer.ts'
import { cause, DELIVERING, delivered, isSignedBy, place, type Registered, register } from './helpers.ts'

/** Seconds: most of the day of our answer, and the rest of it with an hour. */
const NEARLY = 23 * 3_600
const LATER = 2 * 3_600

/** A sandbox can be told to move its clock; no other service is waited for. */
export const oldSecretEnds: Law = {
  id: 'old-secret-ends',
  phase: 'time',
  question: 'secret-rotation',
  needs: [...DELIVERING, 'rotateWebhookSecret'],
  stateful: true,
  isOfSandbox: true,
  atStake: true,
  title: 'For a day after a regeneration the old secret signs as well, and then the new one alone.',
  advice: 'Keep until when the old secret signs, and compare that with the clock at each attempt.',
  run: async (scene) => {
    const registered = await register(scene)
    const path = { webhook_id: registered?.id ?? '' }
    const rotated =
      registered && (await scene.send(scene.contract.operation('rotateWebhookSecret'), { path }))
    const { secret } = nodeOf(rotated?.body)
    if (!registered || typeof secret !== 'string' || !(await scene.clock.move(NEARLY))) return scene.masked()
    await isKept(scene, registered)
    if (!(await scene.clock.move(LATER))) return scene.masked()
    await signInAnew(scene)
    const cancelled = await cause(scene)
    const [delivery] = cancelled ? await delivered(scene, registered.inbox, cancelled) : []
    if (!cancelled || !delivery) return scene.masked()
    const where = { ...place(scene), operation: 'rotateWebhookSecret' }
    const lost = 'Expected the new secret to sign a day after the regeneration, and it does not.'
    scene.expect(cancelled, (await isSignedBy(delivery, secret)) ? undefined : lost, {
      ...where,
      about: 'new',
    })
    const kept = 'Expected the old secret not to sign a day after the regeneration, and it does.'
    scene.expect(cancelled, (await isSignedBy(delivery, registered.secret)) ? kept : undefined, {
      ...where,
      about: 'old',
    })
  },
}

/** An hour before its end, for a receiver that changes over late. */
async function isKept(scene: Scene, { inbox, secret }: Registered): Promise<void> {
  await signInAnew(scene)
  const cancelled = await cause(scene)
  const [delivery] = cancelled ? await delivered(scene, inbox, cancelled) : []
  if (!cancelled || !delivery) return scene.masked()
  const message = 'Expected the old secret to sign for a day after the regeneration, and it does not.'
  scene.expect(cancelled, (await isSignedBy(delivery, secret)) ? undefined : message, {
    ...place(scene),
    operation: 'rotateWebhookSecret',
    about: 'kept',
  })
}
