import { fieldsOf } from './json.ts'
import type { Link, Operation, Origin, OriginValue, Response } from './operation.ts'

/**
 * Lists where a program gets the values that it sends with an operation: from the responses and
 * requests that the links of the contract name. For a parameter of the path without a link, it is
 * the id of the record that the create or the list of its resource shows.
 */
export function listOrigins(operation: Operation, operations: readonly Operation[]): Origin[] {
  const id = operation.aliasOf ?? operation.id
  const earlier = operations.filter((other) => other.aliasOf === undefined && other.id !== id)
  const linked = earlier.flatMap((other) => originsByLinks(operation, id, other))
  const linkedNames = new Set(linked.flatMap(({ values }) => values.map(({ name }) => name)))
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
  const unlinked = inPath.filter(({ name }) => !linkedNames.has(name))

  const record = findRecordSource(operation, earlier)
  // The last parameter of a path names the record; those before it name what contains it.
  const parameterOfId = unlinked.at(-1)
  if (!record || !parameterOfId) return linked

  const idOfRecord: OriginValue = {
    name: parameterOfId.name,
    in: 'path',
    side: 'response',
    pointer: record.pointer,
  }
  return [...linked, { from: record.from, values: [idOfRecord], isLinked: false }]
}

/** What the links of a success say. */
export function readLinks({ node }: Response): Link[] {
  const links = Object.values(fieldsOf(node.links)).map(fieldsOf)
  return links.map(({ operationId, parameters, requestBody }) => ({
    to: String(operationId),
    values: { ...fieldsOf(parameters), ...fieldsOf(requestBody) } as Link['values'],
  }))
}

/**
 * The links of another operation that lead to this one, each with the values that it passes on.
 *
 * @param id the operationId of this operation
 */
function originsByLinks(operation: Operation, id: string, other: Operation): Origin[] {
  const leading = other.links.filter(({ to }) => to === id)
  const origins = leading.map((link) => ({
    from: other.id,
    values: readValues(operation, link),
    isLinked: true,
  }))
  return origins.filter(({ values }) => values.length > 0)
}

/**
 * The values that a link passes from an earlier request or response to the next request, such as
 * `key: '$response.body#/id'`: the parameter `key` gets the field `/id` of the response.
 */
function readValues(operation: Operation, link: Link): OriginValue[] {
  const values: OriginValue[] = []
  for (const [name, expression] of Object.entries(link.values)) {
    // Other values are constants, such as the type of a body.
    const [, side, pointer] = EXPRESSION.exec(expression) ?? []
    if (side === undefined || pointer === undefined) continue
    values.push({
      name,
      in: placeOfValue(operation, name),
      side: side as OriginValue['side'],
      pointer,
    })
  }
  return values
}

/** A runtime expression on a body (OpenAPI 3.1, "Runtime Expressions"). */
const EXPRESSION = /^\$(request|response)\.body#(\/.+)$/

/** A parameter, or else a field of the body. */
function placeOfValue({ parameters }: Operation, name: string): OriginValue['in'] {
  const parameter = parameters.find((candidate) => candidate.name === name)
  if (!parameter) return 'body'
  return parameter.in === 'query' ? 'query' : 'path'
}

interface RecordSource {
  readonly from: string
  readonly pointer: string
}

/**
 * Finds the operation of the same resource that shows a record on which this one can act: its
 * create, or else its list. Returns its id and the pointer to the id of the record.
 */
function findRecordSource(
  { resource }: Operation,
  earlier: readonly Operation[],
): RecordSource | undefined {
  if (resource === undefined) return undefined

  const ofResource = earlier.filter((other) => other.resource === resource)
  const create = ofResource.find(({ role }) => role === 'create')
  const list = ofResource.find(({ role }) => role === 'list')
  const source = create?.record ? create : list
  if (!source?.record) return undefined

  const { pointer, isList, id } = source.record
  return { from: source.id, pointer: `${pointer}${isList ? '/0' : ''}${id}` }
}
