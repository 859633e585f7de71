import type { Result } from '../report/result.ts'
import { SLOWER } from '../send/limits.ts'
import { describeAdvice } from './advice.ts'
import type { RefusedRequest } from './refused-requests.ts'
import type { Session } from './session.ts'
import { describeUnreadPages } from './unread-pages.ts'

/**
 * Builds the result of a run: what the rules found, and what was not sent or tried.
 *
 * @param refused The valid requests that the service never accepted.
 */
export function buildResult(
  session: Session,
  refused: readonly RefusedRequest[],
  leftovers: readonly string[],
): Result {
  const { settings, signal, builder, notSent, limitedOperations } = session
  // If some requests were not sent, the reasons of these are reported, and explain the others too.
  const unexplained = notSent.size > 0 ? [] : refused
  const notTried = unexplained.map(
    (each) =>
      `not tried: what builds on a valid ${each.request}, of which none was accepted${describeAdvice(each, session)}`,
  )
  const unreadPages = settings.form.unreadPages.list().map(describeUnreadPages)
  return builder.result({
    target: settings.target,
    seed: settings.seed,
    leftovers,
    notSent: [...notSent, ...notTried, ...unreadPages],
    wanted: settings.plans.flatMap(({ wants }) => wants),
    // A valid request that was never accepted leaves open whether this rule holds.
    inconclusive: unexplained.length > 0 ? ['requests-accepted'] : [],
    ...findInterruption(signal, limitedOperations),
  })
}

/**
 * Finds why a run did not check everything: it ended early, or a rate limit refused some requests to the
 * end. Returns `{}` if it checked everything.
 */
function findInterruption(
  signal: AbortSignal,
  limitedOperations: ReadonlySet<string>,
): Pick<Result, 'interrupted'> {
  if (signal.aborted) return { interrupted: String(signal.reason) }
  if (limitedOperations.size === 0) return {}
  const operations = [...limitedOperations].join(', ')
  return { interrupted: `${operations} refused requests with 429 until the end; ${SLOWER}` }
}
