import { ALIAS_OF, operationsOf } from '../operations.ts'
import type { Rule } from '../rule.ts'

/**
 * Fields that an alias shares with its operation. The client and the checker read the effect from
 * it.
 */
const SHARED = ['x-effect', 'x-echoes', 'x-essential', 'tags', 'security']

/**
 * Every operation of this contract must be an alias of an operation of the other one, with its
 * method and effect.
 */
export const aliasesAgree: Rule = function* ({ contract, other }) {
  const operations = new Map(operationsOf(other).map((candidate) => [candidate.id, candidate]))
  for (const { method, operation, at } of operationsOf(contract)) {
    const id = String(operation[ALIAS_OF])
    const aliased = operations.get(id)
    if (!aliased) {
      yield { message: `"${ALIAS_OF}" must name an operation, got "${id}".`, at }
      continue
    }

    if (method !== aliased.method)
      yield { message: `The method must be that of ${id}, ${aliased.method}, got ${method}.`, at }

    for (const name of SHARED) {
      const expected = JSON.stringify(aliased.operation[name])
      const got = JSON.stringify(operation[name])
      if (expected !== got)
        yield { message: `"${name}" must be that of ${id}, ${expected}, got ${got}.`, at }
    }
  }
}
