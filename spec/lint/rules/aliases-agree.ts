import type { Node } from '../marks.ts'
import { ALIAS_OF, listOperations, type Operation, pointerBelow } from '../operations.ts'
import type { Fault, Rule } from '../rule.ts'

/**
 * Fields that an alias shares with its operation. The client and the checker read the effect from
 * it.
 */
const SHARED = ['x-effect', 'x-echoes', 'x-essential', 'tags', 'security']

/**
 * Reports short paths of the guide whose method, effect or fields differ from those of the operation
 * that they shorten. Does nothing in the other document, whose operations shorten none.
 */
export const aliasesAgree: Rule = function* ({ contract, other }) {
  const operations = new Map(listOperations(other).map((candidate) => [candidate.id, candidate]))
  for (const { method, operation, at } of listOperations(contract)) {
    if (!(ALIAS_OF in operation)) continue

    const id = String(operation[ALIAS_OF])
    const aliased = operations.get(id)
    // The rule names-known reports an operation that does not exist.
    if (!aliased) continue

    if (method !== aliased.method) {
      const message = `The method must be that of ${id}, ${aliased.method}, got ${method}; correct it.`
      yield { message, at }
    }
    yield* sharedFieldFaults(operation, at, aliased)
  }
}

/**
 * Reports keywords of a short path that differ from those of the operation of which it is another
 * address, such as its effect or its tags.
 */
function* sharedFieldFaults(shortPath: Node, at: string, aliased: Operation): Iterable<Fault> {
  for (const name of SHARED) {
    // JSON compares lists and objects, such as tags, by their content.
    const expected = JSON.stringify(aliased.operation[name])
    const got = JSON.stringify(shortPath[name])
    if (expected === got) continue
    const message = `"${name}" must be that of ${aliased.id}, ${expected}, got ${got}; correct one of them.`
    yield { message, at: pointerBelow(at, name in shortPath ? name : 'operationId') }
  }
}
