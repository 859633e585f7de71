import type { Oas3Rule, UserContext } from '@redocly/openapi-core'
import { isNode } from '../marks.ts'
import { eachOperation } from '../operations.ts'
import { reader } from '../stated.ts'

type Location = UserContext['location']

/**
 * No enum may be used in both requests and responses. Request enums are closed; response enums may get new values, and
 * the generated types differ accordingly.
 */
export const enumsApart: Oas3Rule = () => ({
  Root: {
    leave(root, ctx) {
      const sent = new Map<string, Location>()
      const received = new Map<string, Location>()
      for (const { operation, location } of eachOperation(root, ctx)) {
        collect(operation.requestBody, location, sent, ctx)
        collect(operation.responses, location, received, ctx)
      }
      for (const [pointer, location] of sent) {
        if (received.has(pointer))
          ctx.report({
            message: 'This enum is in a request and in a response; write one for each.',
            location,
          })
      }
    },
  },
})

/** The locations of all enums at or below a value, including references. */
function collect(
  value: unknown,
  at: Location,
  found: Map<string, Location>,
  ctx: UserContext,
  seen = new Set<object>(),
) {
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  if (isNode(value)) {
    if (Array.isArray(value.enum)) found.set(at.absolutePointer, at)
    const target = reader(ctx, new WeakMap()).resolve(value, at)
    collect(target.node, target.location, found, ctx, seen)
  }
  for (const [name, child] of Object.entries(value)) {
    if (name !== 'examples') collect(child, at.child([name]), found, ctx, seen)
  }
}
