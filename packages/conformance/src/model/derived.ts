import type { Document } from './document.ts'
import type { Link } from './links.ts'
import type { OperationView } from './operation-view.ts'
import { membersShown } from './properties-shown.ts'
import { successesOf } from './statuses.ts'

/**
 * Links that a contract leaves unsaid: a creation leads to what can be done below its path, /todos to /todos/{todoId}.
 * What a link of the contract leads to is left alone.
 */
export function derivedLinks(
  document: Document,
  operations: readonly OperationView[],
  links: readonly Link[],
): Link[] {
  const linked = new Set(links.map(({ to }) => to))
  const creations = operations.filter(
    ({ method, pathParameters }) => method === 'POST' && pathParameters.length === 0,
  )
  return creations.flatMap((create) => {
    const below = operations.filter((it) => isBelow(it, create) && !linked.has(it.id))
    return below.flatMap((it) => linkTo(document, create, it))
  })
}

function isBelow({ path, pathParameters }: OperationView, create: OperationView): boolean {
  return pathParameters.length === 1 && path.startsWith(`${create.path.replace(/\/$/, '')}/{`)
}

/** By the member that is named like the parameter, or else by `id`; none where the answer has neither. */
function linkTo(document: Document, from: OperationView, to: OperationView): Link[] {
  const [parameter] = to.pathParameters
  const shown = membersShown(document, from)
  const member = [parameter?.name ?? '', 'id'].find((it) => shown.includes(it))
  if (!parameter || member === undefined) return []
  const parameters = { [parameter.name]: `$response.body#/${member}` }
  const link = { pointer: '', from: from.id, to: to.id, parameters, body: undefined }
  return successesOf(from.statuses).map((status) => ({ ...link, status }))
}
