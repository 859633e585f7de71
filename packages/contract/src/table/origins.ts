import { fieldsOf } from '../json/json.ts'
import type {
  Link,
  OperationWithoutOrigins,
  Origin,
  OriginValue,
  Parameter,
  Response,
} from './operation.ts'

/**
 * Lists where a program gets the values that it sends with an operation. The `webhook_id` of
 * `deleteWebhook` is the field `/id` of the response to `createWebhook`. Most origins are links of
 * the contract. The id in a path without a link is that of the record that the create or the list
 * of its resource shows.
 */
export function listOrigins(
  operation: OperationWithoutOrigins,
  operations: readonly OperationWithoutOrigins[],
): Origin[] {
  const id = operation.aliasOf ?? operation.id
  const others = operations.filter((other) => other.aliasOf === undefined && other.id !== id)
  const linked = others.flatMap((other) => originsByLinks(operation, id, other))

  const parameter = findUnlinkedId(operation, linked)
  const source = findRecordSource(operation, others)
  if (!parameter || !source) return linked

  const idOfRecord: OriginValue = {
    name: parameter.name,
    in: 'path',
    side: 'response',
    pointer: source.pointer,
  }
  return [...linked, { from: source.from, values: [idOfRecord], isLinked: false }]
}

/**
 * The parameter of the path that names the record: the last one that no link gives a value.
 * Undefined if links give them all.
 */
function findUnlinkedId(
  { parameters }: OperationWithoutOrigins,
  linked: readonly Origin[],
): Parameter | undefined {
  const linkedNames = new Set<string>()
  for (const { values } of linked) for (const { name } of values) linkedNames.add(name)

  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const unlinked = inPath.filter(({ name }) => !linkedNames.has(name))
  // A parameter before it names what contains the record, as `a_id` in `/a/{a_id}/b/{b_id}`.
  return unlinked.at(-1)
}

/**
 * The links of a success: which operations can come next, and what they take from this one, such as
 * `{ to: 'getWebhook', values: { webhook_id: '$response.body#/id' } }`.
 */
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
function originsByLinks(
  operation: OperationWithoutOrigins,
  id: string,
  other: OperationWithoutOrigins,
): Origin[] {
  const origins: Origin[] = []
  for (const link of other.links) {
    if (link.to !== id) continue
    const values = readValues(operation, link)
    if (values.length > 0) origins.push({ from: other.id, values, isLinked: true })
  }
  return origins
}

/**
 * The values that a link passes from an earlier request or response to the next request, such as
 * `key: '$response.body#/id'`: the parameter `key` gets the field `/id` of the response.
 */
function readValues(operation: OperationWithoutOrigins, link: Link): OriginValue[] {
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
function placeOfValue({ parameters }: OperationWithoutOrigins, name: string): OriginValue['in'] {
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
  { resource }: OperationWithoutOrigins,
  others: readonly OperationWithoutOrigins[],
): RecordSource | undefined {
  if (resource === undefined) return undefined

  const ofResource = others.filter((other) => other.resource === resource)
  for (const role of ['create', 'list']) {
    const source = ofResource.find((other) => other.role === role)
    if (!source?.record) continue

    const { pointer, isList, id } = source.record
    const recordPointer = isList ? `${pointer}/0` : pointer
    return { from: source.id, pointer: recordPointer + id }
  }
  return undefined
}
