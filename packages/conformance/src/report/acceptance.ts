import type { Result } from './result.ts'
import { count } from './text.ts'

/**
 * Finds why a run says little about the service although rules had cases: less than half of the
 * operations that it tried accepted a request. Undefined if enough did, or if traffic was only read.
 */
export function findFewAcceptedReason({ target, coverage }: Result): string | undefined {
  if (target === 'traffic') return undefined

  const tried = coverage.operations.filter(({ requests }) => requests > 0)
  const accepting = tried.filter(({ successes }) => successes > 0)
  if (accepting.length >= tried.length / 2) return undefined

  const share = `${accepting.length} of ${count(tried.length, 'operation')}`
  return `Only ${share} accepted a request, so most of the service was not checked. Does it take these tokens in the header "authorization: Bearer ..."? "notSent" in --json, and --verbose, list what was never accepted.`
}
