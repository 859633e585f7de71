import { isNode } from '@partner-payments/spec/build'

export { isNode }

/** What the builder reads of the bundled contract; the rest of a node is carried along untouched. */
export type Node = { [key: string]: unknown }

export type Contract = Node & {
  info: Node & { title: string; version: string; description: string }
  servers: { url: string; description: string; variables?: Record<string, { default: string }> }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Node>
  webhooks: Record<string, Node>
  components: Record<string, Record<string, Node>>
}

export type Effect = 'read' | 'idempotent' | 'once'

export type OperationNode = Node & {
  operationId: string
  summary: string
  description?: string
  tags: [string]
  responses: Record<string, Node>
  'x-effect'?: Effect
  'x-alias-of'?: string
}

/** An operation and where it is: `method` in lower case, `path` a path or the name of an event. */
export type Operation = { path: string; method: string; node: OperationNode }

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** The operations that the service takes, in the order of the contract. */
export function operationsOf(contract: Contract): Operation[] {
  return operationsIn(contract.paths)
}

/** The events that the service sends, in the order of the contract. */
export function eventsOf(contract: Contract): Operation[] {
  return operationsIn(contract.webhooks)
}

function operationsIn(items: Record<string, Node>): Operation[] {
  return Object.entries(items).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => ({
      path,
      method,
      // The contract's own lint holds every operation to this shape.
      node: item[method] as OperationNode,
    })),
  )
}

/** Where the reference shows an operation. */
export function referenceLink({ node }: Operation): string {
  return `reference.html#/${node.tags[0].replaceAll(' ', '-')}/${node.operationId.toLowerCase()}`
}

/** The node that a local `$ref` names. Throws where there is none. */
export function resolve(contract: Contract, ref: string): Node {
  let found: unknown = contract
  for (const step of ref.replace(/^#\//, '').split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    found = isNode(found) ? found[key] : undefined
  }
  if (!isNode(found)) throw new Error(`"${ref}" names nothing in the contract`)
  return found
}
