import type { Oas3Rule, UserContext } from '@redocly/openapi-core'
import { isNode, isOurs, type Node } from '../marks.ts'
import { reader } from '../stated.ts'

type Location = UserContext['location']
type Found = { readonly node: Node; readonly location: Location; fact: boolean }

/**
 * A component that only assumptions refer to must have its own mark. Otherwise a type or page generated from the component
 * would look like a fact.
 */
export const assumptionsMarked: Oas3Rule = () => ({
  Root: {
    leave(root, ctx) {
      const found = new Map<string, Found>()
      const { paths, webhooks } = root as { paths?: unknown; webhooks?: unknown }
      collect({ paths, webhooks }, { at: ctx.location, fact: true, found, ctx })
      for (const { node, location, fact } of found.values()) {
        if (fact || isOurs(node)) continue
        ctx.report({ message: 'Only assumptions refer to this; mark it with their question.', location })
      }
    },
  },
})

interface Walk {
  readonly at: Location
  /** Whether no ancestor has a mark. */
  readonly fact: boolean
  readonly found: Map<string, Found>
  readonly ctx: UserContext
}

function collect(value: unknown, walk: Walk): void {
  if (typeof value !== 'object' || value === null) return
  const fact = walk.fact && !(isNode(value) && isOurs(value))
  if (isNode(value) && typeof value.$ref === 'string') follow(value, { ...walk, fact })
  for (const [name, child] of Object.entries(value)) {
    if (name !== 'examples') collect(child, { ...walk, fact, at: walk.at.child([name]) })
  }
}

/** Visits the target of a reference; visits it again only if it is also a fact. */
function follow(value: Node, walk: Walk): void {
  const { node, location } = reader(walk.ctx, new WeakMap()).resolve(value, walk.at)
  const known = walk.found.get(location.absolutePointer)
  if (known && (known.fact || !walk.fact)) return
  walk.found.set(location.absolutePointer, { node, location, fact: walk.fact })
  collect(node, { ...walk, at: location })
}
