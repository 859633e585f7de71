import type { Oas3Rule, UserContext } from '@redocly/openapi-core'
import { isNode, type Node } from '../marks.ts'
import { eachOperation } from '../operations.ts'
import { reader } from '../stated.ts'

const EFFECTS = ['read', 'idempotent', 'once']

/** Every operation must have an operationId, one tag, a summary, an effect, and an example of each body. */
export const operationComplete: Oas3Rule = () => ({
  Root: {
    leave(root, ctx) {
      for (const { operation, location } of eachOperation(root, ctx)) {
        for (const lack of [...lacks(operation), ...bodiesWithoutExample(operation, location, ctx)]) {
          ctx.report({ message: `The operation must have ${lack}.`, location })
        }
      }
    },
  },
})

function* lacks({ operationId, tags, summary, 'x-effect': effect }: Node) {
  if (!operationId) yield 'an operationId'
  if (!Array.isArray(tags) || tags.length !== 1) yield 'one tag'
  if (!summary) yield 'a summary'
  if (!EFFECTS.includes(String(effect))) yield `an "x-effect" of ${EFFECTS.join(', ')}, got "${effect}"`
}

function* bodiesWithoutExample(operation: Node, at: UserContext['location'], ctx: UserContext) {
  const read = reader(ctx, new WeakMap())
  const responses = isNode(operation.responses) ? operation.responses : {}
  const bodies = { 'request body': operation.requestBody, ...responses }
  for (const [name, body] of Object.entries(bodies)) {
    const { content } = read.resolve(body, at).node
    if (!isNode(content)) continue
    const bare = Object.values(content).find((media) => !isNode(media) || !isNode(media.examples))
    if (bare) yield `an example of its ${name}`
  }
}
