import { AsyncLocalStorage } from 'node:async_hooks'
import { nodeOf } from '../model/document.ts'
import type { Exchange } from '../model/exchange.ts'
import type { InconclusiveReason } from './result.ts'

/** A work under way, what was refused in it last, and why the operation that it asked about last is not sent. */
interface CaseState {
  refusal: Exchange | undefined
  unsent: string | undefined
}

/** Works run side by side, and a rule is only told that something was refused: each remembers for itself what it was. */
const caseState = new AsyncLocalStorage<CaseState>()

/** Runs a work whose refusals are its own. */
export function inOwnCase<T>(work: () => Promise<T>): Promise<T> {
  return caseState.run({ refusal: undefined, unsent: undefined }, work)
}

/** Takes note of an answer in the work under way: a refusal is remembered until something succeeds. */
export function noteResponse(exchange: Exchange): void {
  const work = caseState.getStore()
  const { status } = exchange.response
  if (work) work.refusal = status >= 200 && status < 300 ? undefined : exchange
}

/** Takes note of why an operation is not sent, or that it is. */
export function noteUnsent(reason: string | undefined): void {
  const work = caseState.getStore()
  if (work) work.unsent = reason
}

/** Why the operation that the work under way asked about last is not sent; undefined where it is. */
export function unsentReason(): string | undefined {
  return caseState.getStore()?.unsent
}

/** Why a case of the work under way is masked, as far as it can be told. */
export function refusalReason(): Omit<InconclusiveReason, 'count'> {
  const refusal = caseState.getStore()?.refusal
  const { code } = nodeOf(refusal?.body)
  return {
    operation: refusal?.view?.id,
    status: refusal?.response.status || undefined,
    code: typeof code === 'string' && /^[\w.-]{1,60}$/.test(code) ? code : undefined,
  }
}

/** Kinds of refusals that are counted for a rule. */
const MAX_KINDS = 20

/** One more case that is masked for a reason. */
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
