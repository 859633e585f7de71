import { pointerOf, valueAt } from '@partner-payments/contract'
import { isNode, type Node } from './marks.ts'

/**
 * On an operation of a second document: the operation of the main document whose path it shortens.
 */
export const ALIAS_OF = 'x-alias-of'

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/**
 * An operation of the raw document. The lint judges documents that may be wrong anywhere, before
 * `readContract` can make a table of them.
 */
export interface Operation {
  readonly id: string
  readonly method: string
  readonly template: string
  readonly path: Node
  readonly operation: Node
  /** The JSON pointer of the operation. */
  readonly at: string
}

/**
 * All operations of a bundled contract, or all deliveries that it describes (`webhooks`), each with
 * its pointer, such as `/paths/~1transfers/post`.
 */
export function listOperations(
  contract: Node,
  section: 'paths' | 'webhooks' = 'paths',
): Operation[] {
  const operations: Operation[] = []
  for (const [template, path] of listEntries(contract[section])) {
    if (!isNode(path)) continue

    for (const method of METHODS) {
      const operation = path[method]
      if (!isNode(operation)) continue
      operations.push({
        id: String(operation.operationId),
        method,
        template,
        path,
        operation,
        at: pointerBelow(`/${section}`, template, method),
      })
    }
  }
  return operations
}

/** The fields of a node; none if the value is not a node. */
export function listEntries(value: unknown): [name: string, value: unknown][] {
  return isNode(value) ? Object.entries(value) : []
}

/** A node, or the target of its reference. */
export function resolveNode(contract: Node, node: unknown): Node {
  return followReferences(contract, node, '').node
}

/**
 * Follows `$ref` from a node to the first node without one. Returns that node and its pointer; an
 * empty node if the target does not exist, which Redocly reports.
 */
export function followReferences(
  contract: Node,
  node: unknown,
  at: string,
): { node: Node; at: string } {
  if (!isNode(node)) return { node: {}, at }
  if (typeof node.$ref !== 'string') return { node, at }
  return followReferences(contract, valueAt(contract, node.$ref), pointerOfReference(node.$ref))
}

/** The pointer of a `$ref` within one document, such as `/components/schemas/Key`. */
export function pointerOfReference(ref: string): string {
  return ref.replace(/^#/, '')
}

/** A node and the chain of components that it refers to. */
export function* followChain(contract: Node, node: unknown): Generator<Node> {
  if (!isNode(node)) return
  yield node
  if (typeof node.$ref === 'string') yield* followChain(contract, valueAt(contract, node.$ref))
}

/** The pointer of a node below another. */
export function pointerBelow(at: string, ...steps: readonly (string | number)[]): string {
  let pointer = at
  for (const step of steps) pointer = pointerOf(pointer, String(step))
  return pointer
}

export interface ReachableNode {
  readonly node: Node
  readonly at: string
}

/**
 * The nodes at and below a value and behind its references, each once, with their JSON pointers.
 * Leaves out examples.
 *
 * @param at The pointer of the value.
 * @param canEnter Whether to visit a node and what is below it. Default: always.
 * @param visited The nodes that were visited before.
 */
export function* reachableNodes(
  contract: Node,
  value: unknown,
  at: string,
  canEnter: (node: Node) => boolean = () => true,
  visited = new Set<object>(),
): Generator<ReachableNode> {
  if (typeof value !== 'object' || value === null || visited.has(value)) return
  visited.add(value)

  if (isNode(value)) {
    if (!canEnter(value)) return
    yield { node: value, at }
    const target = followReferences(contract, value, at)
    yield* reachableNodes(contract, target.node, target.at, canEnter, visited)
  }

  for (const [name, child] of Object.entries(value)) {
    if (name === 'examples') continue
    yield* reachableNodes(contract, child, pointerBelow(at, name), canEnter, visited)
  }
}

/** The strings at and below a value, such as the expressions of a link, with their pointers. */
export function* findStrings(
  value: unknown,
  at: string,
): Generator<{ readonly text: string; readonly place: string }> {
  if (typeof value === 'string') yield { text: value, place: at }
  if (typeof value !== 'object' || value === null) return
  for (const [name, child] of Object.entries(value))
    yield* findStrings(child, pointerBelow(at, name))
}
