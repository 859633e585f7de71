import { listOperations, type Operation, pointerBelow } from '../operations.ts'
import type { Rule } from '../rule.ts'
import { isAssumedOperation } from '../stated.ts'
import { didYouMean, findNearest } from '../suggest.ts'

/**
 * Reports where the operations, methods and paths differ from those of facts.yaml, byte for byte.
 * An operation that the document does not list is right if it is marked as a whole, as an
 * assumption.
 */
export const operationList: Rule = function* ({ contract, root, facts }) {
  const { value, file } = facts
  const section = root === 'guide' ? 'guide' : 'operations'
  // All of facts.yaml, until the loops below remove those that the contract has.
  const missing = new Map(Object.entries(value[section]).map(([id, { call }]) => [id, call]))
  const unknown: Operation[] = []

  for (const operation of listOperations(contract)) {
    const { id, template } = operation
    const call = describeCall(operation)
    const expectedCall = missing.get(id)
    missing.delete(id)
    if (expectedCall === undefined) unknown.push(operation)
    else if (expectedCall !== call)
      yield {
        message: `${id} must be "${expectedCall}" by facts.yaml, got "${call}"; correct the path or the method.`,
        at: pointerBelow('/paths', template),
        file: `${root}.yaml`,
      }
  }

  for (const operation of unknown) {
    const { id, at } = operation
    if (isAssumedOperation(operation)) continue
    // With another id, an operation would be reported as unknown, and again as missing.
    const renamed = findRenamed(operation, missing)
    if (renamed !== undefined) missing.delete(renamed)
    const next = renamed
      ? didYouMean(id, [renamed], `: its name is ${renamed}.`)
      : '; add it there if the document states it, or mark it with its open question.'
    const message = `facts.yaml has no operation "${id}" (${describeCall(operation)})${next}`
    yield { message, at: pointerBelow(at, 'operationId') }
  }

  for (const [id, call] of missing) {
    const message = `The contract lacks ${id} (${call}); add it.`
    yield { message, at: pointerBelow('', section, id), file }
  }
}

function describeCall({ method, template }: Operation): string {
  return `${method.toUpperCase()} ${template}`
}

/** The id in facts.yaml of an operation that has another one in the contract. */
function findRenamed(operation: Operation, facts: ReadonlyMap<string, string>): string | undefined {
  const ids = [...facts.keys()]
  const sameCall = ids.find((id) => facts.get(id) === describeCall(operation))
  return sameCall ?? findNearest(operation.id, ids)
}
