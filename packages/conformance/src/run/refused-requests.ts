/** A valid request that the service never accepted. */
export interface RefusedRequest {
  /** Such as `createTransfer (example 4)`. */
  readonly request: string
  /** That of the last refusal; undefined if the request could not be built, since one before it was refused. */
  readonly status: number | undefined
}

/**
 * Collects the valid requests that the service never accepted, by names such as
 * `createTransfer (example 4)`.
 */
export function createRefusedRequests() {
  const accepted = new Set<string>()
  // By the name of a request: the status of its last refusal, as far as one is known.
  const lastStatuses = new Map<string, number | undefined>()
  return {
    /** Remembers whether a valid request was accepted this time, and else the status of its refusal. */
    note(request: string, isAccepted: boolean, status?: number): void {
      if (isAccepted) accepted.add(request)
      else lastStatuses.set(request, status ?? lastStatuses.get(request))
    },
    /** Lists those that were sent, and never accepted. */
    list(): RefusedRequest[] {
      const refused = [...lastStatuses].filter(([request]) => !accepted.has(request))
      return refused.map(([request, status]) => ({ request, status }))
    },
  }
}

export type RefusedRequests = ReturnType<typeof createRefusedRequests>
