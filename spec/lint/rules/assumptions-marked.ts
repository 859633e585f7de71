import { isMarkedWhole, type Node } from '../marks.ts'
import { reachableNodes } from '../operations.ts'
import type { Rule } from '../rule.ts'

/**
 * Reports components without a mark that only assumptions refer to. A type or page generated from
 * such a component would look like a fact.
 */
export const assumptionsMarked: Rule = function* ({ contract }) {
  const exchanges = { paths: contract.paths, webhooks: contract.webhooks }
  const isUnmarked = (node: Node) => !isMarkedWhole(node)
  const nodesOfFacts = new Set<object>()
  for (const { node } of reachableNodes(contract, exchanges, '', isUnmarked)) nodesOfFacts.add(node)

  for (const { node, at } of reachableNodes(contract, exchanges, '')) {
    if (!COMPONENT.test(at) || isMarkedWhole(node) || nodesOfFacts.has(node)) continue
    yield { message: 'Only assumptions refer to this; mark it with their question.', at }
  }
}

/** The pointer of a component, such as `/components/schemas/Transfer`. */
const COMPONENT = /^\/components\/[^/]+\/[^/]+$/
