import { isMarkedWhole } from '../marks.ts'
import { reachableNodes } from '../operations.ts'
import type { Rule } from '../rule.ts'

/**
 * Reports components without a mark that only assumptions refer to. A type or page generated from
 * such a component would look like a fact.
 */
export const assumptionsMarked: Rule = function* ({ contract }) {
  const { paths, webhooks } = contract
  // What can be reached without passing a node that is assumed as a whole.
  const nodesOfFacts = new Set<object>()
  for (const { node } of reachableNodes(
    contract,
    { paths, webhooks },
    '',
    (node) => !isMarkedWhole(node),
  ))
    nodesOfFacts.add(node)

  for (const { node, at } of reachableNodes(contract, { paths, webhooks }, '')) {
    const isComponent = /^\/components\/[^/]+\/[^/]+$/.test(at)
    if (!isComponent || nodesOfFacts.has(node) || isMarkedWhole(node)) continue
    yield { message: 'Only assumptions refer to this; mark it with their question.', at }
  }
}
