import type { Result } from '../report/result.ts'
import { SLOWER } from '../send/limits.ts'
import type { Session } from './session.ts'
import { describeHelpfulOption } from './valid-requests.ts'

/**
 * Builds the result of a run: what the rules found, and what was not sent or tried.
 *
 * @param refused The valid requests that the service never accepted.
 */
export function buildResult(
  { settings, signal, builder, notSent, limitedOperations }: Session,
  refused: readonly string[],
  leftovers: readonly string[],
): Result {
  // A request that was not sent explains why others could not be built.
  const untried = notSent.size > 0 ? [] : refused
  const notTried = untried.map(
    (request) =>
      `not tried: what builds on a valid ${request}, of which none was accepted${describeHelpfulOption(request)}`,
  )
  return builder.result({
    target: settings.target,
    seed: settings.seed,
    leftovers,
    notSent: [...notSent, ...notTried],
    wanted: settings.plans.flatMap(({ wants }) => wants),
    inconclusive: untried.length > 0 ? ['requests-accepted'] : [],
    ...findInterruption(signal, limitedOperations),
  })
}

/** Finds why a run did not check everything: it ended early, or a rate limit left some requests out. */
function findInterruption(
  signal: AbortSignal,
  limitedOperations: ReadonlySet<string>,
): Pick<Result, 'interrupted'> {
  if (signal.aborted) return { interrupted: String(signal.reason) }
  if (limitedOperations.size === 0) return {}
  const operations = [...limitedOperations].join(', ')
  return { interrupted: `${operations} refused requests with 429 until the end; ${SLOWER}` }
}
