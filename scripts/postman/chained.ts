import type { Operation, OriginValue } from '@partner-payments/contract'
import { findSources } from './order.ts'

/** A value of a response that a later request sends. */
export interface Chained {
  readonly from: string
  readonly to: string
  readonly field: string
  readonly variable: string
  /** In the body of the response. */
  readonly pointer: string
}

/**
 * The values that requests of the collection take from earlier responses, each with the variable
 * that carries it: `{ from: 'checkKey', to: 'createTransfer', field: 'initiation_id', … }`.
 */
export function listChained(steps: readonly Operation[]): Chained[] {
  const chained: Chained[] = []
  for (const [index, step] of steps.entries()) {
    const earlierIds = steps.slice(0, index).map(({ id }) => id)
    const chainedByField = new Map<string, Chained>()
    for (const { from, values } of findSources(step, earlierIds)) {
      for (const value of chainedValues(from, step.id, values)) {
        // If several responses show a value, the first one gives it.
        if (!chainedByField.has(value.field)) chainedByField.set(value.field, value)
      }
    }
    chained.push(...chainedByField.values())
  }
  return chained
}

/**
 * The values that the request `to` takes from the response of `from`, each with the variable that
 * carries it. Values that come from the request of `from` are left out.
 */
function chainedValues(from: string, to: string, values: readonly OriginValue[]): Chained[] {
  const valuesOfResponse = values.filter(({ side }) => side === 'response')
  return valuesOfResponse.map(({ name, pointer }) => ({
    from,
    to,
    field: name,
    variable: `${to}.${name}`,
    pointer,
  }))
}
