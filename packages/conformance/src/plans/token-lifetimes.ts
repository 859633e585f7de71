import { valueAt } from '../contract/json.ts'
import type { Outcome } from '../send/requests.ts'
import { readTokenSender } from '../send/token-requests.ts'
import { GRACE_SECONDS, MINUTE_SECONDS, passTimeUntil } from './later/time.ts'
import type { PlanContext } from './plan.ts'

/** A run waits so many milliseconds for the end of a token, at most. */
export const MAX_WAIT_MS = 60_000

/** The number that says how long the token of a sign-in works. NaN if the response does not say. */
export function readExpiration({ json }: Outcome): number {
  return Number(valueAt(json, '/expiration'))
}

/**
 * For a service whose clock cannot be moved: finds out whether a token ends when its lifetime in milliseconds has
 * passed. One of 20,000 may end after 20 seconds. If the first token of the run does not work after that, uses a new
 * one before and after.
 *
 * A newer token may end an older one, so that only the refusal of the newest says that it has expired. No plan that
 * signs in may run at the same time.
 */
export async function waitForEndInMilliseconds(context: PlanContext): Promise<void> {
  const { clock, mayWait, identities, send } = context
  if (clock.isControlled || !mayWait) return

  const first = identities.findFirstToken('partner')
  const firstSender = readTokenSender(first)
  if (!first || firstSender === undefined) return

  // The plan `later` waits for a token that ends within a minute if its lifetime is in seconds.
  const lifetimeMs = readExpiration(first)
  const mayEndSoon = lifetimeMs > MINUTE_SECONDS && lifetimeMs <= MAX_WAIT_MS
  if (!mayEndSoon) return

  // Mostly, the first token is so old that the run does not wait.
  await passTimeUntil(context, first.sentAt + lifetimeMs + GRACE_SECONDS * 1000)
  const { isAccepted: worksLonger } = await send('listUsers', { by: firstSender })
  if (worksLonger) return

  const signedIn = await send('signIn')
  const sender = readTokenSender(signedIn)
  if (sender === undefined) return

  await send('listUsers', { by: sender })
  await passTimeUntil(context, signedIn.sentAt + lifetimeMs + GRACE_SECONDS * 1000)
  await send('listUsers', { by: sender })
}
