import type { UserContext } from '@redocly/openapi-core'
import { isNode, type Node } from './marks.ts'

/** On an operation of a second document: the operation of the main document whose path it shortens. */
export const ALIAS_OF = 'x-alias-of'

export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

export interface Operation {
  readonly method: string
  readonly template: string
  readonly path: Node
  readonly operation: Node
  readonly location: UserContext['location']
}

/** The operations of a root with their file and pointer. */
export function* eachOperation(root: unknown, ctx: UserContext): Generator<Operation> {
  const paths = isNode(root) && isNode(root.paths) ? root.paths : {}
  for (const [template, item] of Object.entries(paths)) {
    const isRef = isNode(item) && typeof item.$ref === 'string'
    const target = isRef ? ctx.resolve({ $ref: String(item.$ref) }) : undefined
    const path = target ? target.node : item
    const at = target?.location ?? ctx.location.child(['paths', template])
    if (!isNode(path)) continue
    for (const method of METHODS) {
      const operation = path[method]
      if (isNode(operation)) yield { method, template, path, operation, location: at.child([method]) }
    }
  }
}
