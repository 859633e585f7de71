import { isOurs } from '../marks.ts'
import { reached } from '../operations.ts'
import type { Rule } from '../rule.ts'

/**
 * A component that only assumptions refer to must have its own mark. Otherwise a type or page
 * generated from the component would look like a fact.
 */
export const assumptionsMarked: Rule = function* ({ contract }) {
  const { paths, webhooks } = contract
  const facts = new Set<object>()
  for (const { node } of reached(contract, { paths, webhooks }, '', (node) => !isOurs(node)))
    facts.add(node)

  for (const { node, at } of reached(contract, { paths, webhooks }, '')) {
    const isComponent = /^\/components\/[^/]+\/[^/]+$/.test(at)
    if (!isComponent || facts.has(node) || isOurs(node)) continue
    yield { message: 'Only assumptions refer to this; mark it with their question.', at }
  }
}
