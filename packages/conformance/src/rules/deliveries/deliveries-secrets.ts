import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { valueAt } from '../../model/document.ts'
import { citing } from '../common/declared-sources.ts'
import { durationSeconds } from '../common/duration.ts'
import { actOn } from '../common/record-requests.ts'
import { causeOne } from './causes.ts'
import {
  ABOUT_DELIVERIES,
  type Declared,
  declaredDeliveries,
  delivered,
  isSignedBy,
  placeIn,
  type Subscriber,
  subscribe,
} from './subscribers.ts'

/** Seconds before and after the end of the old secret at which deliveries are verified. */
const HOUR = 3_600

/** Moves the clock of a sandbox to the end of the old secret. On other services, only the first deliveries are judged. */
export const deliveriesSecrets: Rule = {
  id: 'deliveries-secrets',
  phase: 'later',
  ...ABOUT_DELIVERIES,
  impact: 'high',
  title:
    'After a rotation, deliveries are signed with the new secret, and with the old one for the declared time.',
  advice: 'Store when the old secret expires, and compare that with the clock at each attempt.',
  run: async (context) => {
    const declared = declaredDeliveries(context)
    if (!declared) return
    if (!context.receiver) return context.inconclusive('the service reaches no receiver')
    const [rotated, other] = [await subscribe(context, declared), await subscribe(context, declared)]
    if (!rotated || !other || !(await isVerified(context, rotated)))
      return context.inconclusive('no delivery arrived that verifies')
    const rotation = await actOn(context, rotated.created, declared.resource.operations.rotate)
    const secret = valueAt(rotation?.body, declared.deliveries.subscription.secret)
    if (typeof secret !== 'string') return context.inconclusive('no secret could be rotated')
    const secrets = [
      { words: 'the new secret', subscriber: { ...rotated, secret }, until: Number.POSITIVE_INFINITY },
      {
        words: 'the old secret',
        subscriber: rotated,
        until: durationSeconds(declared.deliveries.overlap.duration),
      },
      { words: 'the secret of another webhook', subscriber: other, until: Number.POSITIVE_INFINITY },
    ]
    await judgeOverTime(context, declared, secrets)
  },
}

interface Secret {
  readonly words: string
  readonly subscriber: Subscriber
  /** Seconds after the rotation until which it signs. */
  readonly until: number
}

async function judgeOverTime(
  context: Context,
  declared: Declared,
  secrets: readonly Secret[],
): Promise<void> {
  const overlap = durationSeconds(declared.deliveries.overlap.duration)
  let now = 0
  for (const moment of [0, overlap - HOUR, overlap + HOUR]) {
    if (moment > 0 && !context.clock.isControlled) return
    if (moment > 0 && !(await context.clock.move(moment - now))) return context.inconclusive()
    if (moment > 0) await context.renewIdentities()
    now = moment
    const occurrence = await causeOne(context)
    for (const { words, subscriber, until } of secrets) {
      const [delivery] = occurrence ? await delivered(context, subscriber.inbox, occurrence) : []
      if (!occurrence || !delivery) {
        context.inconclusive('no delivery arrived')
        continue
      }
      const [signs, expected] = [await isSignedBy(delivery, subscriber.secret), now < until]
      const hours = Math.floor(now / HOUR)
      const message = `${hours} hours after a rotation ${words} ${signs ? 'signs' : 'does not sign'}; expected that it ${expected ? 'does' : 'does not'}.`
      context.expect(occurrence.exchange, signs === expected ? undefined : message, {
        ...placeIn(context, declared, 'rotate'),
        ...citing(declared.deliveries.overlap),
        about: `${words} after ${hours} h`,
      })
    }
  }
}

/** With another signature scheme, the secret cannot be verified. */
async function isVerified(context: Context, { inbox, secret }: Subscriber): Promise<boolean> {
  const occurrence = await causeOne(context)
  const [delivery] = occurrence ? await delivered(context, inbox, occurrence) : []
  return delivery !== undefined && isSignedBy(delivery, secret)
}
