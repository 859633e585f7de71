import { stringAt } from '../contract/json.ts'
import { Bounded } from './bounded.ts'
import { type Exchange, isValid } from './exchange.ts'

/** How a service refuses requests that do not match the contract. */
export interface Refusals {
  /** Whether a refusal has the form of those of invalid requests of its operation. */
  isOfInvalid(exchange: Exchange): boolean
  fold(exchange: Exchange): void
}

/** Forms that are remembered. */
const MOST = 1_000

export function createRefusals(): Refusals {
  const forms = new Bounded<string, true>(MOST)
  return {
    isOfInvalid: (exchange) => forms.has(formOf(exchange)),
    fold(exchange) {
      const { outcome, operation, status } = exchange
      if (outcome !== 'refused' || !operation || (status !== 400 && status !== 422)) return
      if (!forms.has(formOf(exchange)) && !isValid(exchange)) forms.set(formOf(exchange), true)
    },
  }
}

function formOf({ operation, status, shown }: Exchange): string {
  return `${operation?.id} ${status} ${stringAt(shown, '/code') ?? ''}`
}
