import { below, type Document, nodeOf } from './document.ts'
import type { OperationView } from './operation-view.ts'
import { successesOf } from './statuses.ts'

/** Limits nested schemas. */
const MAX_DEPTH = 16

/** Names of the properties in successful responses. */
export function responseProperties(document: Document, { pointer, statuses }: Responding): string[] {
  return successesOf(statuses).flatMap((status) => {
    const response = document.follow(below(pointer, 'responses', status))
    const [type = ''] = Object.keys(nodeOf(response.node.content))
    return propertyNames(document, below(response.pointer, 'content', type, 'schema'))
  })
}

type Responding = Pick<OperationView, 'pointer' | 'statuses'>

/** Including those of `allOf`. */
function propertyNames(document: Document, schema: string, depth = 0): string[] {
  const { pointer, node } = document.follow(schema)
  if (depth > MAX_DEPTH) return []
  const parts = Object.keys(nodeOf(node.allOf)).map((i) => below(pointer, 'allOf', i))
  return [
    ...Object.keys(nodeOf(node.properties)),
    ...parts.flatMap((part) => propertyNames(document, part, depth + 1)),
  ]
}
