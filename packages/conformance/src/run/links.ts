import { below, type Document, nodeOf } from './document.ts'
import type { OperationView } from './operation-view.ts'

/** How the answer of one operation makes the request of another. */
export interface Link {
  /** Empty of one that the contract leaves unsaid. */
  readonly pointer: string
  readonly from: string
  readonly status: string
  readonly to: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** The links that the answers of an operation have. */
export function linksOf(document: Document, { id, pointer, statuses }: OperationView): Link[] {
  return statuses.flatMap((status) => {
    const response = document.follow(below(pointer, 'responses', status))
    return Object.keys(nodeOf(response.node.links)).map((name) => {
      const link = document.follow(below(response.pointer, 'links', name))
      const { operationId, parameters, requestBody } = link.node
      return {
        pointer: link.pointer,
        from: id,
        status,
        to: String(operationId),
        parameters: nodeOf(parameters),
        body: requestBody,
      }
    })
  })
}
