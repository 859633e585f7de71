import { below, type Document, type Node, nodeOf } from './document.ts'
import { isExpression, isSupported } from './expressions.ts'
import type { OperationView } from './operation-view.ts'

/** How a response of one operation supplies a request of another. */
export interface Link {
  /** JSON pointer into the contract. */
  readonly pointer: string
  readonly from: string
  /** The key of the response: 201, 2XX or default. */
  readonly status: string
  readonly to: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly body: unknown
}

export function linksIn(document: Document, operations: readonly OperationView[]): Link[] {
  return operations.flatMap((from) =>
    from.statuses.flatMap((status) => {
      const response = document.follow(below(from.pointer, 'responses', status))
      return Object.keys(nodeOf(response.node.links)).flatMap((name) => {
        const link = document.follow(below(response.pointer, 'links', name))
        const to = targetOf(operations, link.node)
        const { parameters, requestBody: body } = link.node
        const { pointer } = link
        return to ? [{ pointer, from: from.id, status, to: to.id, parameters: nodeOf(parameters), body }] : []
      })
    }),
  )
}

/** By `operationId`, or by `operationRef` inside this document. */
function targetOf(
  operations: readonly OperationView[],
  { operationId, operationRef }: Node,
): OperationView | undefined {
  return operations.find(
    ({ id, pointer }) => id === operationId || (operationRef !== undefined && operationRef === `#${pointer}`),
  )
}

/** Whether all expressions of a link are supported. */
export function canFollow({ parameters, body }: Link): boolean {
  const inBody = isExpression(body) ? [body] : Object.values(nodeOf(body))
  return [...Object.values(parameters), ...inBody].every(isSupported)
}
