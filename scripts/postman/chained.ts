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

/** The values that a later request takes from earlier responses, each from one of them. */
export function listChained(steps: readonly Operation[]): Chained[] {
  const chained: Chained[] = []
  for (const [index, step] of steps.entries()) {
    const earlier = steps.slice(0, index).map(({ id }) => id)
    const fields = new Set<string>()
    for (const { from, values } of findSources(step, earlier)) {
      const candidates = chainedValues(from, step.id, values)
      chained.push(...candidates.filter(({ field }) => !fields.has(field)))
      for (const { field } of candidates) fields.add(field)
    }
  }
  return chained
}

/** The values that are taken from the body of a response. */
function chainedValues(from: string, to: string, values: readonly OriginValue[]): Chained[] {
  const ofResponse = values.filter(({ side }) => side === 'response')
  return ofResponse.map(({ name, pointer }) => ({
    from,
    to,
    field: name,
    variable: `${to}.${name}`,
    pointer,
  }))
}
