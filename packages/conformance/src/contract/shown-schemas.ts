import { type Contract, listBranches, type Operation, resolveReference } from './contract.ts'
import { fieldsOf, type Json, valueAt } from './json.ts'

/** A value that a schema of the contract describes. */
export interface ShownSchema {
  /** The name of the schema in the components of the contract. */
  readonly name: string
  /** The pointer of the value in the body. */
  readonly at: string
  readonly value: Json
  /** The fields that the schema requires. */
  readonly required: readonly string[]
}

/**
 * Lists the objects of a body that the named schemas of a document describe, from the outside in:
 * `[{ name: 'Transfer', at: '/data', … }, { name: 'Party', at: '/data/payer', … }]`.
 */
function listSchemas(document: object, schema: unknown, body: unknown): ShownSchema[] {
  const shown: ShownSchema[] = []
  addSchemas(shown, { document, schema, value: body, at: '' })
  return shown
}

/** Items of an array that are read: ten times the most that a page has. */
const MAX_ITEMS = 1_000

/** A value, its schema, and its pointer in the body. */
interface Place {
  /** The document in which references of the schema are looked up. */
  readonly document: object
  readonly schema: unknown
  readonly value: unknown
  readonly at: string
}

/**
 * Adds to `shown` the objects at a place and inside it that a named schema describes, which is one that a
 * `$ref` names: `#/components/schemas/Transfer` is `Transfer`.
 */
function addSchemas(shown: ShownSchema[], place: Place): void {
  const { document, schema, value, at } = place
  if (typeof value !== 'object' || value === null) return

  const keywords = fieldsOf(schema)
  const { $ref } = keywords
  // The schema has a name: the object is listed, and its target says what is inside.
  if (typeof $ref === 'string') {
    const target = valueAt(document, $ref.slice(1))
    const name = $ref.slice($ref.lastIndexOf('/') + 1)
    shown.push({ name, at, value: fieldsOf(value), required: readRequired(target) })
    addSchemas(shown, { ...place, schema: target })
  }

  // The parts and alternatives of the schema may have names too, and so may the schemas of items and fields.
  for (const branch of listBranches(keywords)) addSchemas(shown, { ...place, schema: branch })
  for (const inside of listPlacesInside(place)) addSchemas(shown, inside)
}

/**
 * Lists the items of an array, or the declared fields of an object, each with its schema and its pointer: of
 * `{ payer: { … } }` at `/data`, `[{ value: { … }, at: '/data/payer', … }]`.
 */
function listPlacesInside({ document, schema, value, at }: Place): Place[] {
  const { items, properties } = fieldsOf(schema)
  if (Array.isArray(value)) {
    const firstItems = value.slice(0, MAX_ITEMS)
    return firstItems.map((item, i) => ({ document, schema: items, value: item, at: `${at}/${i}` }))
  }

  const fields = fieldsOf(value)
  return Object.entries(fieldsOf(properties)).map(([name, property]) => ({
    document,
    schema: property,
    value: fields[name],
    at: `${at}/${name}`,
  }))
}

function readRequired(schema: unknown): readonly string[] {
  const { required } = fieldsOf(schema)
  return Array.isArray(required) ? required : []
}

/** Lists the objects of a response that named schemas describe: `[{ name: 'Transfer', at: '/data', … }, …]`. */
export function listResponseSchemas(operation: Operation, status: number, body: unknown) {
  const { document } = operation.validator
  const response = valueAt(document, `${operation.declaration.pointer}/responses/${status}`)
  const schema = valueAt(resolveReference(document, response), '/content/application~1json/schema')
  return listSchemas(document, schema, body)
}

/** Lists the objects of a delivery that named schemas describe, as for a response; none for an undeclared event. */
export function listDeliverySchemas(
  { document, deliveries }: Contract,
  event: string,
  body: unknown,
) {
  const pointer = deliveries.get(event)
  if (pointer === undefined) return []

  const media = '/requestBody/content/application~1json/schema'
  return listSchemas(document, valueAt(document, pointer + media), body)
}
