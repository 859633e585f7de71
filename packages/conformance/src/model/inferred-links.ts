import { below, type Document, nodeOf } from './document.ts'
import type { Link } from './links.ts'
import type { OperationView } from './operation-view.ts'
import { responseProperties } from './schema-properties.ts'
import { successesOf } from './statuses.ts'

/**
 * Links that a contract does not declare, inferred from paths and schemas: a POST to /things leads to
 * /things/{thing_id} and /things/{thing_id}/parts, and to requests with a field `thing_id`. Operations that a
 * declared link leads to are left out.
 */
export function inferredLinks(
  document: Document,
  operations: readonly OperationView[],
  links: readonly Link[],
): Link[] {
  const linked = new Set(links.map(({ to }) => to))
  const others = operations.filter(({ id }) => !linked.has(id))
  return operations
    .filter((it) => isCreation(operations, it))
    .flatMap((create) => others.flatMap((it) => linksTo(document, create, it)))
}

/** Whether a path below that of a POST has one more parameter: the id of the created record. */
function isCreation(operations: readonly OperationView[], { method, path }: OperationView): boolean {
  return method === 'POST' && operations.some((it) => it.path.startsWith(`${bare(path)}/{`))
}

function bare(path: string): string {
  return path.replace(/\/$/, '')
}

function linksTo(document: Document, from: OperationView, to: OperationView): Link[] {
  if (from === to) return []
  const properties = responseProperties(document, from)
  const parameters = parametersOf(properties, from, to)
  const body = bodyOf(document, properties, from, to)
  if (!parameters && !body) return []
  const link = { pointer: '', from: from.id, to: to.id, parameters: parameters ?? {}, body }
  return successesOf(from.statuses).map((status) => ({ ...link, status }))
}

/** The id in the response, under the name of the parameter or as `id`, and the outer parameters. */
function parametersOf(
  properties: readonly string[],
  from: OperationView,
  to: OperationView,
): Record<string, string> | undefined {
  const before = from.pathParameters.length
  const [own, ...deeper] = to.pathParameters.slice(before)
  if (!to.path.startsWith(`${bare(from.path)}/{`) || !own || deeper.length > 0) return undefined
  const property = [own.name, 'id'].find((it) => properties.includes(it))
  if (property === undefined) return undefined
  const outer = from.pathParameters.map(({ name }) => [name, `$request.path.${name}`])
  return { ...Object.fromEntries(outer), [own.name]: `$response.body#/${property}` }
}

/** A request field named after the record: `thing_id` or `thingId` for /things. */
function bodyOf(
  document: Document,
  properties: readonly string[],
  from: OperationView,
  { bodyPointer }: OperationView,
): Record<string, string> | undefined {
  const stem = stemOf(from.path)
  if (bodyPointer === undefined || stem === undefined || !properties.includes('id')) return undefined
  const names = Object.keys(
    nodeOf(document.follow(below(document.follow(bodyPointer).pointer, 'properties')).node),
  )
  const [name] = names.filter((it) => idStemOf(it) === stem)
  return name === undefined ? undefined : { [name]: '$response.body#/id' }
}

/** The singular of the last segment: `thing` for /v1/things. */
function stemOf(path: string): string | undefined {
  const segment = bare(path).split('/').at(-1)?.toLowerCase().replaceAll(/[-_]/g, '')
  return segment
    ?.replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/(?<!s)s$/, '')
}

/** `thing` for `thing_id`; undefined for other fields. */
function idStemOf(name: string): string | undefined {
  const [, stem] = /^(.+?)_?id$/i.exec(name) ?? []
  return stem?.toLowerCase().replaceAll(/[-_]/g, '')
}
