import { type Contract, type Operation, resolved } from './contract.ts'
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

/** The objects of a body that the named schemas of a document describe, from the outside in. */
function shownSchemas(document: object, schema: unknown, body: unknown): ShownSchema[] {
  return schemasIn(document, schema, { value: body, at: '' })
}

interface Place {
  readonly value: unknown
  readonly at: string
}

function schemasIn(document: object, schema: unknown, place: Place): ShownSchema[] {
  const { value, at } = place
  if (typeof value !== 'object' || value === null) return []

  const { $ref, allOf, oneOf, anyOf, properties, items } = fieldsOf(schema)
  const shown: ShownSchema[] = []

  if (typeof $ref === 'string') {
    const target = valueAt(document, $ref.slice(1))
    const name = $ref.slice($ref.lastIndexOf('/') + 1)
    shown.push({ name, at, value: fieldsOf(value), required: requiredBy(target) })
    shown.push(...schemasIn(document, target, place))
  }

  for (const branches of [allOf, oneOf, anyOf])
    for (const branch of Array.isArray(branches) ? branches : [])
      shown.push(...schemasIn(document, branch, place))

  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      shown.push(...schemasIn(document, items, { value: item, at: `${at}/${index}` }))
    return shown
  }

  for (const [field, inside] of Object.entries(fieldsOf(properties)))
    shown.push(
      ...schemasIn(document, inside, { value: fieldsOf(value)[field], at: `${at}/${field}` }),
    )
  return shown
}

function requiredBy(schema: unknown): readonly string[] {
  const { required } = fieldsOf(schema)
  return Array.isArray(required) ? required : []
}

/** The objects of a response that named schemas describe. */
export function responseSchemas(operation: Operation, status: number, body: unknown) {
  const { document } = operation.validator
  const response = valueAt(document, `${operation.of.pointer}/responses/${status}`)
  const schema = valueAt(resolved(document, response), '/content/application~1json/schema')
  return shownSchemas(document, schema, body)
}

/** The objects of a delivery that named schemas describe. */
export function deliverySchemas({ document, deliveries }: Contract, event: string, body: unknown) {
  const pointer = deliveries.get(event)
  if (pointer === undefined) return []

  const media = '/requestBody/content/application~1json/schema'
  return shownSchemas(document, valueAt(document, pointer + media), body)
}
