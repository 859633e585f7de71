import { isNode, type Node } from '../marks.ts'
import { entriesOf, operationsOf, resolved } from '../operations.ts'
import type { Rule } from '../rule.ts'

const EFFECTS = new Set(['read', 'idempotent', 'once'])

/**
 * Every operation must have one tag, an effect, and an example of each body. Redocly's rules want
 * the rest.
 */
export const operationComplete: Rule = function* ({ contract }) {
  for (const { operation, at } of operationsOf(contract))
    for (const lack of lacks(contract, operation))
      yield { message: `The operation must have ${lack}.`, at }
}

function* lacks(contract: Node, operation: Node) {
  const { tags, 'x-effect': effect, requestBody, responses } = operation
  if (!Array.isArray(tags) || tags.length !== 1) yield 'one tag'
  if (!EFFECTS.has(String(effect)))
    yield `an "x-effect" of ${[...EFFECTS].join(', ')}, got "${effect}"`

  if (!hasExamples(contract, requestBody)) yield 'an example of its request body'
  for (const [status, response] of entriesOf(responses))
    if (!hasExamples(contract, response)) yield `an example of its ${status}`
}

/** Every media type of a body has examples. A body without a media type needs none. */
function hasExamples(contract: Node, body: unknown): boolean {
  const media = entriesOf(resolved(contract, body).content)
  return media.every(([, type]) => isNode(type) && isNode(type.examples))
}
