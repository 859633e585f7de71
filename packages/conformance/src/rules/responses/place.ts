import type { Judgement } from '../../engine/violation.ts'
import type { Exchange } from '../../model/exchange.ts'

/** The operation of a response, as the place of a finding. */
export function placeOf({ view }: Pick<Exchange, 'view'>): Pick<Judgement, 'operation' | 'contract'> {
  return { operation: view?.id, contract: view?.pointer ?? '' }
}
