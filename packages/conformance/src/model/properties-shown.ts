import { below, type Document, nodeOf } from './document.ts'
import type { OperationView } from './operation-view.ts'
import { successesOf } from './statuses.ts'

/** Schemas in schemas that are looked at, at most. */
const MAX_DEPTH = 16

/** Names of the members that a success of an operation shows, by its schema. */
export function membersShown(document: Document, { pointer, statuses }: Shown): string[] {
  return successesOf(statuses).flatMap((status) => {
    const response = document.follow(below(pointer, 'responses', status))
    const [type = ''] = Object.keys(nodeOf(response.node.content))
    return membersOf(document, below(response.pointer, 'content', type, 'schema'))
  })
}

type Shown = Pick<OperationView, 'pointer' | 'statuses'>

/** Of a schema itself, and of all that it is made of. */
function membersOf(document: Document, schema: string, depth = 0): string[] {
  const { pointer, node } = document.follow(schema)
  if (depth > MAX_DEPTH) return []
  const parts = Object.keys(nodeOf(node.allOf)).map((i) => below(pointer, 'allOf', i))
  return [
    ...Object.keys(nodeOf(node.properties)),
    ...parts.flatMap((part) => membersOf(document, part, depth + 1)),
  ]
}
