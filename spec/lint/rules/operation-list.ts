import { listOperations, type Operation, pointerBelow } from '../operations.ts'
import type { Fault, Rule } from '../rule.ts'
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
  const operations = listOperations(contract)
  const expected = new Map(Object.entries(value[section]).map(([id, { call }]) => [id, call]))
  yield* callFaults(operations, expected, `${root}.yaml`)

  const missing = new Map(expected)
  for (const { id } of operations) missing.delete(id)

  const others = operations.filter(({ id }) => !expected.has(id))
  const unknown = others.filter((operation) => !isAssumedOperation(operation))
  for (const operation of unknown) {
    // With another id, an operation would be reported as unknown, and again as missing.
    const renamed = findRenamed(operation, missing)
    if (renamed !== undefined) missing.delete(renamed)
    yield unknownOperation(operation, renamed)
  }

  for (const [id, call] of missing) {
    const message = `The contract lacks ${id} (${call}); add it.`
    yield { message, at: pointerBelow('', section, id), file }
  }
}

/** Reports operations with another path or method than in facts.yaml. */
function* callFaults(
  operations: readonly Operation[],
  expected: ReadonlyMap<string, string>,
  file: string,
): Iterable<Fault> {
  for (const operation of operations) {
    const call = describeCall(operation)
    const expectedCall = expected.get(operation.id)
    if (expectedCall === undefined || expectedCall === call) continue
    const message = `${operation.id} must be "${expectedCall}" by facts.yaml, got "${call}"; correct the path or the method.`
    yield { message, at: pointerBelow('/paths', operation.template), file }
  }
}

/**
 * The fault of an operation that facts.yaml does not have.
 *
 * @param renamed The id that facts.yaml probably has for it.
 */
function unknownOperation(operation: Operation, renamed: string | undefined): Fault {
  const { id, at } = operation
  const next = renamed
    ? didYouMean(id, [renamed], `: its name is ${renamed}.`)
    : '; add it there if the document states it, or mark it with its open question.'
  const message = `facts.yaml has no operation "${id}" (${describeCall(operation)})${next}`
  return { message, at: pointerBelow(at, 'operationId') }
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
