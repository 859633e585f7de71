import { below, type Document, nodeOf } from './document.ts'
import type { OperationView } from './operation-view.ts'
import { successesOf } from './statuses.ts'

/** Schemas within schemas that are looked into, at most. */
const DEEPEST = 4

/** Names of the members that the successes of an operation show, those of all their parts included. */
export function shownMembers(document: Document, { pointer, statuses }: OperationView): string[] {
  return successesOf(statuses).flatMap((status) => {
    const response = document.follow(below(pointer, 'responses', status))
    const [type = ''] = Object.keys(nodeOf(response.node.content))
    return namesIn(document, below(response.pointer, 'content', type, 'schema'))
  })
}

function namesIn(document: Document, schema: string, depth = 0): string[] {
  const { pointer, node } = document.follow(schema)
  const parts = depth < DEEPEST ? Object.keys(nodeOf(node.allOf)) : []
  const others = parts.flatMap((i) => namesIn(document, below(pointer, 'allOf', i), depth + 1))
  return [...Object.keys(nodeOf(node.properties)), ...others]
}
