import { isMarkedWhole } from '../marks.ts'
import { reachableNodes } from '../operations.ts'
import type { Rule } from '../rule.ts'

/**
 * A component that only assumptions refer to must have its own mark. Otherwise a type or page
 * generated from the component would look like a fact.
 */
export const assumptionsMarked: Rule = function* ({ contract }) {
  const { paths, webhooks } = contract
  const facts = new Set<object>()
  for (const { node } of reachableNodes(
    contract,
    { paths, webhooks },
    '',
    (node) => !isMarkedWhole(node),
  ))
    facts.add(node)

  for (const { node, at } of reachableNodes(contract, { paths, webhooks }, '')) {
    const isComponent = /^\/components\/[^/]+\/[^/]+$/.test(at)
    if (!isComponent || facts.has(node) || isMarkedWhole(node)) continue
    yield { message: 'Only assumptions refer to this; mark it with their question.', at }
  }
}
