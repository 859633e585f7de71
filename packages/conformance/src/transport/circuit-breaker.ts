import type { Exchange } from './exchange.ts'

/** Requests in a row that may stay without an answer: of several operations, and of one, which alone may be broken. */
const OF_SEVERAL = 20
const OF_ONE = 60

/** Tells once when a service seems to answer no more: each request to such a one may take as long as a deadline. */
export function createSilence(onSilent: (reason: string) => void): (exchange: Exchange) => void {
  const operations = new Set<string>()
  let missed = 0
  return ({ view, call, reply }) => {
    if (reply.status !== 0 && reply.status !== 429) {
      missed = 0
      operations.clear()
      return
    }
    missed++
    operations.add(view?.id ?? `${call.method} ${call.path}`)
    if (missed === OF_ONE || (missed >= OF_SEVERAL && operations.size > 1)) onSilent(reasonOf(missed, reply))
  }
}

function reasonOf(missed: number, { status, text }: Exchange['reply']): string {
  return status === 429
    ? `the last ${missed} requests were put off with 429, or got no answer`
    : `the last ${missed} requests got no answer: ${text}`
}
