import { isNode, type Node } from '../marks.ts'
import { below, entriesOf, operationsOf, resolved } from '../operations.ts'
import type { Rule } from '../rule.ts'

/**
 * Every operation must have one tag, an effect, and an example of each body. Redocly's rules want
 * the rest.
 */
export const operationComplete: Rule = function* ({ contract }) {
  for (const { operation, at } of operationsOf(contract))
    for (const lack of lacks(contract, operation))
      yield { message: `The operation must have ${lack}; add it.`, at: below(at, 'operationId') }
}

function* lacks(contract: Node, operation: Node) {
  const { tags, 'x-effect': effect, requestBody, responses } = operation
  if (!Array.isArray(tags) || tags.length !== 1) yield 'one tag'
  if (effect === undefined) yield 'an "x-effect" of read, idempotent or once'

  if (!hasExamples(contract, requestBody)) yield 'an example of its request body'
  for (const [status, response] of entriesOf(responses))
    if (!hasExamples(contract, response)) yield `an example of its ${status}`
}

/** Every media type of a body has examples. A body without a media type needs none. */
function hasExamples(contract: Node, body: unknown): boolean {
  const media = entriesOf(resolved(contract, body).content)
  return media.every(([, type]) => isNode(type) && isNode(type.examples))
}
