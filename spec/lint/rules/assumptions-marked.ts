import { isNode, isOurs, type Node } from '../marks.ts'
import { below, resolvedAt } from '../operations.ts'
import type { Rule } from '../rule.ts'

/** A component, and whether a fact refers to it. */
interface Found {
  readonly node: Node
  readonly isFact: boolean
}

/**
 * A component that only assumptions refer to must have its own mark. Otherwise a type or page generated from the component
 * would look like a fact.
 */
export const assumptionsMarked: Rule = function* ({ contract }) {
  const found = new Map<string, Found>()
  const { paths, webhooks } = contract
  collect({ paths, webhooks }, '', true)
  for (const [at, { node, isFact }] of found) {
    if (isFact || isOurs(node)) continue
    yield { message: 'Only assumptions refer to this; mark it with their question.', at }
  }

  /** `isUnmarked` says whether no ancestor has a mark. */
  function collect(value: unknown, at: string, isUnmarked: boolean): void {
    if (typeof value !== 'object' || value === null) return
    const isFact = isUnmarked && !(isNode(value) && isOurs(value))
    if (isNode(value) && typeof value.$ref === 'string') follow(value, isFact)
    for (const [name, child] of Object.entries(value))
      if (name !== 'examples') collect(child, below(at, name), isFact)
  }

  /** Visits the target of a reference; visits it again only if it is also a fact. */
  function follow(value: Node, isFact: boolean): void {
    const { node, at } = resolvedAt(contract, value, '')
    const known = found.get(at)
    if (known && (known.isFact || !isFact)) return
    found.set(at, { node, isFact })
    collect(node, at, isFact)
  }
}
