import { schemasAt } from '@partner-payments/contract'
import { childSchemas, type OperationView } from './behaviour/contract-view.ts'
import type { Node } from './marks.ts'
import { pointerBelow } from './operations.ts'
import { didYouMean } from './suggest.ts'

type Side = 'request' | 'response'

/**
 * The message about a field that the body of an operation does not have; undefined if it has the
 * field.
 *
 * @param side Whether the body is that of the request or of the response.
 * @param pointer The pointer of the field, such as `/amount`.
 */
export function fieldError(
  contract: Node,
  view: OperationView,
  side: Side,
  pointer: string,
): string | undefined {
  if (schemasAt(contract, view[side], pointer).length > 0) return undefined
  const next = didYouMean(pointer, listFields(contract, view[side]), '; correct the pointer.')
  return `The ${side} of ${view.id} has no field ${pointer}${next}`
}

/** As deep as a pointer of the contract goes. */
const MAX_DEPTH = 4

/** The pointers of all fields of a body. An item of a list has the step 0. */
export function listFields(contract: Node, schema: unknown, at = '', depth = 0): string[] {
  if (depth >= MAX_DEPTH) return []
  return childSchemas(contract, schema).flatMap(({ step, child }) => {
    const pointer = pointerBelow(at, step)
    return [pointer, ...listFields(contract, child, pointer, depth + 1)]
  })
}
