import { isMarkedWhole, type Node } from '../marks.ts'
import { reachableNodes } from '../operations.ts'
import type { Rule } from '../rule.ts'

/**
 * Reports components without a mark that only assumptions refer to. A type or page generated from
 * such a component would look like a fact.
 */
export const assumptionsMarked: Rule = function* ({ contract }) {
  const exchanges = { paths: contract.paths, webhooks: contract.webhooks }
  // What can be reached without going through a node with a mark.
  const isUnmarked = (node: Node) => !isMarkedWhole(node)
  const nodesOfFacts = new Set<object>()
  for (const { node } of reachableNodes(contract, exchanges, '', isUnmarked)) nodesOfFacts.add(node)

  for (const { node, at } of reachableNodes(contract, exchanges, '')) {
    const isComponent = COMPONENT.test(at)
    if (!isComponent) continue

    const isRight = isMarkedWhole(node) || nodesOfFacts.has(node)
    if (isRight) continue
    yield { message: 'Only assumptions refer to this; mark it with their question.', at }
  }
}

/** The pointer of a component, such as `/components/schemas/Transfer`. */
const COMPONENT = /^\/components\/[^/]+\/[^/]+$/
