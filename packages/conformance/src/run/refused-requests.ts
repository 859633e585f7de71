/**
 * Collects the valid requests that the service never accepted, by names such as
 * `createTransfer (example 4)`.
 */
export function createRefusedRequests() {
  const wasAccepted = new Map<string, boolean>()
  return {
    /** Remembers whether a valid request was accepted this time. */
    note(request: string, isAccepted: boolean): void {
      const wasAcceptedBefore = wasAccepted.get(request) === true
      wasAccepted.set(request, isAccepted || wasAcceptedBefore)
    },
    /** Lists those that were sent, and never accepted. */
    list(): string[] {
      return [...wasAccepted.keys()].filter((request) => !wasAccepted.get(request))
    },
  }
}

export type RefusedRequests = ReturnType<typeof createRefusedRequests>
