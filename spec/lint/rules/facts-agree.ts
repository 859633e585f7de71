import { expected } from '../facts.ts'
import { isNode } from '../marks.ts'
import { operationsOf } from '../operations.ts'
import type { Rule } from '../rule.ts'
import { type Origins, statedOperation } from '../stated.ts'

/**
 * The unmarked part of the contract must equal facts.yaml: no fact is missing, and every addition
 * names its open question. Prose is not compared; a test snapshot shows reviewers every unmarked
 * sentence.
 */
export const factsAgree: Rule = function* ({ contract, root, facts }) {
  const operations = root === 'guide' ? facts.value.guide : facts.value.operations
  for (const operation of operationsOf(contract)) {
    const fact = operations[operation.id]
    // The rule operation-list reports an operation that is no fact.
    if (!fact) continue

    const origins: Origins = new WeakMap()
    const stated = statedOperation(contract, operation, origins)
    for (const found of differences(expected(facts.value, fact), stated)) {
      const at = (found.parent && origins.get(found.parent)) ?? operation.at
      yield { message: `${operation.id}: ${sentence(found)}`, at }
    }
  }
}

function sentence({ path, fact, stated }: Difference): string {
  const where = path.join('.')
  if (fact === undefined) return `${where} is not a fact and needs a mark: ${show(stated)}.`
  if (stated === undefined) return `${where} is a fact that the contract lacks: ${show(fact)}.`
  return `${where} must be ${show(fact)}, got ${show(stated)}.`
}

function show(value: unknown): string {
  return isNode(value) && 'properties' in value ? 'an object' : JSON.stringify(value)
}

/** A difference between two trees. `parent` is its parent node in the stated tree. */
interface Difference {
  readonly path: readonly string[]
  readonly fact: unknown
  readonly stated: unknown
  readonly parent?: object
}

/** Every difference between `stated` and `fact`, at the deepest level. */
function differences(
  fact: unknown,
  stated: unknown,
  path: readonly string[] = [],
  parent?: object,
): Difference[] {
  if (isNode(fact) && isNode(stated)) {
    const names = Object.keys({ ...fact, ...stated })
    return names.flatMap((name) => differences(fact[name], stated[name], [...path, name], stated))
  }

  if (Array.isArray(fact) && Array.isArray(stated) && fact.length === stated.length) {
    return fact.flatMap((item, index) =>
      differences(item, stated[index], [...path, String(index)], parent),
    )
  }

  if (JSON.stringify(fact) === JSON.stringify(stated)) return []
  return [{ path, fact, stated, ...(parent && { parent }) }]
}
