import type { Refusal } from '../plans/plan.ts'

/** A valid request that the service never accepted. */
export interface RefusedRequest {
  /** Such as `createTransfer (example 4)`. */
  readonly request: string
  /** The last one; undefined if the request could not be built, such as since one before it was refused. */
  readonly refusal: Refusal | undefined
}

/**
 * Collects the valid requests that the service never accepted, by names such as
 * `createTransfer (example 4)`.
 */
export function createRefusedRequests() {
  const accepted = new Set<string>()
  // By the name of a request: its last refusal, as far as one is known.
  const lastRefusals = new Map<string, Refusal | undefined>()
  return {
    /** Remembers whether a valid request was accepted this time, and else its refusal. */
    note(request: string, isAccepted: boolean, refusal?: Refusal): void {
      if (isAccepted) accepted.add(request)
      else lastRefusals.set(request, refusal ?? lastRefusals.get(request))
    },
    /** Lists those that were sent, and never accepted. */
    list(): RefusedRequest[] {
      const refused = [...lastRefusals].filter(([request]) => !accepted.has(request))
      return refused.map(([request, refusal]) => ({ request, refusal }))
    },
  }
}

export type RefusedRequests = ReturnType<typeof createRefusedRequests>
