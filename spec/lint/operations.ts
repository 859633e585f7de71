import { pointerOf, valueAt } from '@partner-payments/text'
import { isNode, type Node } from './marks.ts'

/** On an operation of a second document: the operation of the main document whose path it shortens. */
export const ALIAS_OF = 'x-alias-of'

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

export interface Operation {
  readonly id: string
  readonly method: string
  readonly template: string
  readonly path: Node
  readonly operation: Node
  /** The JSON pointer of the operation. */
  readonly at: string
}

/** The operations of a bundled contract. */
export function operationsOf(contract: Node): Operation[] {
  return entriesOf(contract.paths).flatMap(([template, path]) =>
    METHODS.flatMap((method) => {
      const operation = isNode(path) ? path[method] : undefined
      if (!isNode(path) || !isNode(operation)) return []
      const at = below('/paths', template, method)
      return [{ id: String(operation.operationId), method, template, path, operation, at }]
    }),
  )
}

/** The fields of a node; none if the value is not a node. */
export function entriesOf(value: unknown): [name: string, value: unknown][] {
  return isNode(value) ? Object.entries(value) : []
}

/** A node, or the target of its reference. */
export function resolved(contract: Node, node: unknown): Node {
  return resolvedAt(contract, node, '').node
}

/** The same, with its JSON pointer. Redocly reports a reference without a target. */
export function resolvedAt(contract: Node, node: unknown, at: string): { node: Node; at: string } {
  if (!isNode(node)) return { node: {}, at }
  if (typeof node.$ref !== 'string') return { node, at }
  return resolvedAt(contract, valueAt(contract, node.$ref), node.$ref.slice(1))
}

/** The pointer of a node below another. */
export function below(at: string, ...steps: readonly (string | number)[]): string {
  return steps.reduce<string>((pointer, step) => pointerOf(pointer, String(step)), at)
}
