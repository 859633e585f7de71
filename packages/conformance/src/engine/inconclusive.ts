import { AsyncLocalStorage } from 'node:async_hooks'
import { nodeOf } from '../model/document.ts'
import type { Exchange } from '../model/exchange.ts'
import type { InconclusiveReason } from './result.ts'

interface CaseState {
  refusal: Exchange | undefined
  unsent: string | undefined
}

/**
 * Cases run concurrently, and rules only learn that a request was refused, so each case remembers its last
 * refusal.
 */
const caseState = new AsyncLocalStorage<CaseState>()

/** Runs a case with a state of its own. */
export function inOwnCase<T>(work: () => Promise<T>): Promise<T> {
  return caseState.run({ refusal: undefined, unsent: undefined }, work)
}

/** Remembers a refusal until a request succeeds. */
export function noteResponse(exchange: Exchange): void {
  const work = caseState.getStore()
  const { status } = exchange.response
  if (work) work.refusal = status >= 200 && status < 300 ? undefined : exchange
}

/** Remembers why an operation is not sent; undefined if it can be. */
export function noteUnsent(reason: string | undefined): void {
  const work = caseState.getStore()
  if (work) work.unsent = reason
}

export function unsentReason(): string | undefined {
  return caseState.getStore()?.unsent
}

/** Why the current case is inconclusive, as far as it is known. */
export function refusalReason(): Omit<InconclusiveReason, 'count'> {
  const refusal = caseState.getStore()?.refusal
  const { code } = nodeOf(refusal?.body)
  return {
    operation: refusal?.view?.id,
    status: refusal?.response.status || undefined,
    code: typeof code === 'string' && /^[\w.-]{1,60}$/.test(code) ? code : undefined,
  }
}

const MAX_KINDS = 20

export function countReason(
  known: readonly InconclusiveReason[],
  one: Omit<InconclusiveReason, 'count'>,
): readonly InconclusiveReason[] {
  const same = known.findIndex(
    (it) => it.operation === one.operation && it.status === one.status && it.code === one.code,
  )
  if (same >= 0) return known.map((it, i) => (i === same ? { ...it, count: it.count + 1 } : it))
  return known.length < MAX_KINDS ? [...known, { ...one, count: 1 }] : known
}
