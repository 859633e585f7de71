import type { Context } from '../../../engine/context.ts'
import type { Rule } from '../../../engine/rule.ts'
import { nodeOf } from '../../../model/document.ts'
import { cause, DELIVERING, delivered, isSignedBy, place, type Registered, register } from './helpers.ts'

/** Seconds: most of the day of our answer, and the rest of it with an hour. */
const NEARLY = 23 * 3_600
const LATER = 2 * 3_600

/** A sandbox can be told to move its clock; no other service is waited for. */
export const oldSecretEnds: Rule = {
  id: 'old-secret-ends',
  phase: 'later',
  cites: { question: 'secret-rotation' },
  needs: [...DELIVERING, 'rotateWebhookSecret'],
  stateful: true,
  isOfSandbox: true,
  impact: 'high',
  title: 'For a day after a regeneration the old secret signs as well, and then the new one alone.',
  advice: 'Keep until when the old secret signs, and compare that with the clock at each attempt.',
  run: async (context) => {
    const registered = await register(context)
    const path = { webhook_id: registered?.id ?? '' }
    const rotated =
      registered && (await context.send(context.contract.operation('rotateWebhookSecret'), { path }))
    const { secret } = nodeOf(rotated?.body)
    if (!registered || typeof secret !== 'string' || !(await context.clock.move(NEARLY)))
      return context.inconclusive()
    await isKept(context, registered)
    if (!(await context.clock.move(LATER))) return context.inconclusive()
    await context.renewIdentities()
    const cancelled = await cause(context)
    const [delivery] = cancelled ? await delivered(context, registered.inbox, cancelled) : []
    if (!cancelled || !delivery) return context.inconclusive()
    const where = { ...place(context), operation: 'rotateWebhookSecret' }
    const lost = 'Expected the new secret to sign a day after the regeneration, and it does not.'
    context.expect(cancelled, (await isSignedBy(delivery, secret)) ? undefined : lost, {
      ...where,
      about: 'new',
    })
    const kept = 'Expected the old secret not to sign a day after the regeneration, and it does.'
    context.expect(cancelled, (await isSignedBy(delivery, registered.secret)) ? kept : undefined, {
      ...where,
      about: 'old',
    })
  },
}

/** An hour before its end, for a receiver that changes over late. */
async function isKept(context: Context, { inbox, secret }: Registered): Promise<void> {
  await context.renewIdentities()
  const cancelled = await cause(context)
  const [delivery] = cancelled ? await delivered(context, inbox, cancelled) : []
  if (!cancelled || !delivery) return context.inconclusive()
  const message = 'Expected the old secret to sign for a day after the regeneration, and it does not.'
  context.expect(cancelled, (await isSignedBy(delivery, secret)) ? undefined : message, {
    ...place(context),
    operation: 'rotateWebhookSecret',
    about: 'kept',
  })
}
