import { isNode } from './marks.ts'

/** A difference between two trees. `parent` is its parent node in the stated tree. */
export interface Difference {
  readonly path: readonly string[]
  readonly fact: unknown
  readonly stated: unknown
  readonly parent?: object
}

/** Every difference between `stated` and `fact`, at the deepest level. */
export function difference(
  fact: unknown,
  stated: unknown,
  path: readonly string[] = [],
  parent?: object,
): Difference[] {
  if (isNode(fact) && isNode(stated))
    return membersOf(fact, stated).flatMap((name) =>
      difference(fact[name], stated[name], [...path, name], stated),
    )
  if (Array.isArray(fact) && Array.isArray(stated) && fact.length === stated.length) {
    return fact.flatMap((item, index) => difference(item, stated[index], [...path, String(index)], parent))
  }
  if (JSON.stringify(fact) === JSON.stringify(stated)) return []
  return [{ path, fact, stated, ...(parent && { parent }) }]
}

function membersOf(...nodes: readonly object[]): string[] {
  return [...new Set(nodes.flatMap((node) => Object.keys(node)))]
}
