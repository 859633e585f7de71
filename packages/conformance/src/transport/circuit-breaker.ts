import type { Exchange } from '../model/exchange.ts'

/**
 * Consecutive requests without a response. A single operation gets a higher limit, since it alone may be broken.
 */
const MAX_OF_SEVERAL = 20
const MAX_OF_ONE = 60

/** Ends the run if the service stops responding, since each further request may take until the timeout. */
export function createCircuitBreaker(onOpen: (reason: string) => void): (exchange: Exchange) => void {
  const operations = new Set<string>()
  let missed = 0
  return ({ view, request, response }) => {
    if (response.status !== 0 && response.status !== 429) {
      missed = 0
      operations.clear()
      return
    }
    missed++
    operations.add(view?.id ?? `${request.method} ${request.path}`)
    if (missed === MAX_OF_ONE || (missed >= MAX_OF_SEVERAL && operations.size > 1))
      onOpen(reasonOf(missed, response))
  }
}

function reasonOf(missed: number, { status, text }: Exchange['response']): string {
  return status === 429
    ? `the last ${missed} requests got no response, or were refused with 429`
    : `the last ${missed} requests got no response: ${text}`
}
