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
 * that carries it: `{ from: 'checkKey', to: 'createTransfer', field: 'initiation_id', … }`. If
 * several responses show a value, the first of `findSources` gives it.
 */
export function listChained(steps: readonly Operation[]): Chained[] {
  const chainedFields: Chained[] = []
  for (const [index, step] of steps.entries()) {
    const earlier = steps.slice(0, index).map(({ id }) => id)
    const fields = new Set<string>()
    for (const { from, values } of findSources(step, earlier)) {
      const candidates = chainedValues(from, step.id, values)
      chainedFields.push(...candidates.filter(({ field }) => !fields.has(field)))
      for (const { field } of candidates) fields.add(field)
    }
  }
  return chainedFields
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
