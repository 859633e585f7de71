import type { Result } from '../report/result.ts'
import { SLOWER } from '../send/limits.ts'
import { advisePart, describeAdvice } from './advice.ts'
import type { RefusedPart } from './refused-parts.ts'
import type { RefusedRequest } from './refused-requests.ts'
import type { Session } from './session.ts'
import { describeUnreadPages } from './unread-pages.ts'

/** What the service never accepted. */
interface Refused {
  /** Valid requests. */
  readonly requests: readonly RefusedRequest[]
  /** Optional parts of valid requests that it accepted without them. */
  readonly parts: readonly RefusedPart[]
}

/** Builds the result of a run: what the rules found, and what was not sent or tried. */
export function buildResult(
  session: Session,
  refused: Refused,
  leftovers: readonly string[],
): Result {
  const { settings, signal, builder, notSent, limitedOperations } = session
  // If some requests were not sent, the reasons of these are reported, and explain the others too.
  const unexplained = notSent.size > 0 ? [] : refused.requests
  const notTried = unexplained.map(
    (each) =>
      `not tried: what builds on a valid ${each.request}, of which none was accepted${describeAdvice(each, session)}`,
  )
  const partsNotTried = refused.parts.map(
    (part) =>
      `not tried: ${describePart(part)}, which was never accepted${advisePart(part, session)}`,
  )
  const unreadPages = settings.form.unreadPages.list().map(describeUnreadPages)
  return builder.result({
    target: settings.target,
    seed: settings.seed,
    leftovers,
    notSent: [...notSent, ...notTried, ...partsNotTried, ...unreadPages],
    wanted: settings.plans.flatMap(({ wants }) => wants),
    // A valid request, or a part of one, that was never accepted leaves open whether this rule holds.
    inconclusive: notTried.length + partsNotTried.length > 0 ? ['requests-accepted'] : [],
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

/** Describes a part of requests: `createDueDateQrCode with /amount/deduction`, or `createWebhook with /type "qrcode"`. */
function describePart({ operation, pointer, word }: RefusedPart): string {
  const ofWord = word === undefined ? '' : ` "${word}"`
  return `${operation} with ${pointer}${ofWord}`
}
