import { isNode, type Node } from '../marks.ts'
import { entriesOf, operationsOf, resolved } from '../operations.ts'
import type { Rule } from '../rule.ts'

const EFFECTS = ['read', 'idempotent', 'once']

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
  if (!EFFECTS.includes(String(effect)))
    yield `an "x-effect" of ${EFFECTS.join(', ')}, got "${effect}"`
  for (const [name, body] of [['request body', requestBody], ...entriesOf(responses)] as const) {
    const media = entriesOf(resolved(contract, body).content).map(([, it]) => it)
    if (media.some((it) => !isNode(it) || !isNode(it.examples))) yield `an example of its ${name}`
  }
}
