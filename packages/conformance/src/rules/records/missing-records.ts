import type { Contract } from '../../model/contract.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'

/** Whether an answer says that there is no such record, or none any more (RFC 9110, sections 15.5.5 and 15.5.11). */
export function isGone({ response: { status } }: Exchange): boolean {
  return status === 404 || status === 410
}

/** Whether an answer says so as its contract does: 404, or 410 where that is declared. */
export function isAbsent({ view, response: { status } }: Exchange): boolean {
  return status === 404 || (status === 410 && view?.statuses.includes('410') === true)
}

/** Why a case is masked in which a change of what is not there was accepted. */
export const MAY_BE_MADE = 'the contract does not say that what is not there is refused'

/**
 * Whether a contract says that what is not there is refused: as our answer, or by a status. Where it says nothing, a
 * deletion of nothing may succeed, and an update may make what was not there (RFC 9110, sections 9.3.4 and 9.3.5).
 */
export function refusesAbsent({ conventions }: Contract, { statuses }: OperationView): boolean {
  return conventions.refusedEffects !== undefined || statuses.some((it) => it === '404' || it === '410')
}

/** Whether a change that succeeded may have found nothing, or made a record anew. What is read is there in any case. */
export function mayBeMade(contract: Contract, exchange: Exchange): boolean {
  const { view } = exchange
  return isSuccess(exchange) && view !== undefined && view.method !== 'GET' && !refusesAbsent(contract, view)
}
