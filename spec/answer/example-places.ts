import { fieldsOf, pointerOf, valueAt } from '@partner-payments/contract'
import { isNode, type Node } from '../lint/marks.ts'
import { pointerOfReference } from '../lint/operations.ts'

/**
 * Where examples show a value of each schema: the values by their own pointers, by the pointer of
 * the schema.
 */
export type ExamplePlaces = ReadonlyMap<string, ReadonlyMap<string, unknown>>

/**
 * Walks each example of bundled contracts beside its schema.
 *
 * @example
 * examplePlaces([contract, guide]).get('/components/schemas/TransferStatus')
 */
export function examplePlaces(contracts: readonly Node[]): ExamplePlaces {
  const valuesBySchema = new Map<string, Map<string, unknown>>()
  for (const contract of contracts) addPlaces(contract, valuesBySchema)
  return valuesBySchema
}

/**
 * Adds the values of all examples of one contract, by the pointers of their schemas:
 * `/components/schemas/Key` gets each example of a key, by the pointer of the example.
 */
function addPlaces(contract: Node, valuesBySchema: Map<string, Map<string, unknown>>): void {
  for (const { schemaAt, valuePointer } of findExamples(contract, ''))
    addValue(schemaAt, valuePointer)

  /**
   * Adds the value at a pointer to the values of a schema. Does the same for the schemas that this one
   * refers to or combines, and for each field and item of the value.
   */
  function addValue(schemaAt: string, valuePointer: string): void {
    const schema = valueAt(contract, schemaAt)
    const value = valueAt(contract, valuePointer)
    if (!isNode(schema) || value === undefined) return

    const values = valuesBySchema.get(schemaAt) ?? new Map<string, unknown>()
    valuesBySchema.set(schemaAt, values)
    values.set(valuePointer, value)

    if (typeof schema.$ref === 'string') addValue(pointerOfReference(schema.$ref), valuePointer)
    for (const branch of selectBranches(contract, schemaAt, value)) addValue(branch, valuePointer)

    for (const child of listChildren(schema, schemaAt, value, valuePointer))
      addValue(child.schemaAt, child.valuePointer)
  }
}

/**
 * The items of an array or the fields of an object, each with its schema: `items` for the first, and
 * the property of that name for the second. Fields without a property are left out.
 */
function listChildren(
  schema: Node,
  schemaAt: string,
  value: unknown,
  valuePointer: string,
): Example[] {
  if (Array.isArray(value)) {
    const itemsAt = pointerOf(schemaAt, 'items')
    return value.map((_, index) => ({
      schemaAt: itemsAt,
      valuePointer: pointerOf(valuePointer, String(index)),
    }))
  }
  if (!isNode(value)) return []

  const propertiesAt = pointerOf(schemaAt, 'properties')
  const names = Object.keys(fieldsOf(schema.properties)).filter((name) => name in value)
  return names.map((name) => ({
    schemaAt: pointerOf(propertiesAt, name),
    valuePointer: pointerOf(valuePointer, name),
  }))
}

/**
 * The pointers of the schemas in `allOf`, `oneOf` and `anyOf` that a value conforms to: all of
 * `allOf`, and the alternatives with its type and constants.
 */
function selectBranches(contract: Node, schemaAt: string, value: unknown): string[] {
  const alternatives = [
    ...listBranches(contract, schemaAt, 'oneOf'),
    ...listBranches(contract, schemaAt, 'anyOf'),
  ]
  const matchingAlternatives = alternatives.filter((branch) => canMatch(contract, branch, value))
  return [...listBranches(contract, schemaAt, 'allOf'), ...matchingAlternatives]
}

/** The pointers of the schemas in one keyword, such as `/components/schemas/Key/oneOf/0`. */
function listBranches(
  contract: Node,
  schemaAt: string,
  keyword: 'allOf' | 'oneOf' | 'anyOf',
): string[] {
  const branches = fieldsOf(valueAt(contract, schemaAt))[keyword]
  if (!Array.isArray(branches)) return []
  return branches.map((_, index) => `${schemaAt}/${keyword}/${index}`)
}

/**
 * Whether a value has the type and the constants (`const`) of a schema. This is no full validation:
 * it is enough to tell the alternatives of `oneOf` apart.
 */
function canMatch(contract: Node, schemaAt: string, value: unknown): boolean {
  const schema = fieldsOf(valueAt(contract, schemaAt))
  const parts = listBranches(contract, schemaAt, 'allOf')
  if (typeof schema.$ref === 'string') parts.push(pointerOfReference(schema.$ref))
  if (!parts.every((part) => canMatch(contract, part, value))) return false

  // It is enough to distinguish objects from values of other types, such as strings.
  const isOtherType =
    typeof schema.type === 'string' && isNode(value) !== (schema.type === 'object')
  if (isOtherType) return false

  const fields = fieldsOf(value)
  for (const [name, property] of Object.entries(fieldsOf(schema.properties))) {
    const constant = fieldsOf(property).const
    if (constant !== undefined && fields[name] !== constant) return false
  }
  return true
}

/** An example value, and the schema that it is of, by their pointers. */
interface Example {
  readonly schemaAt: string
  readonly valuePointer: string
}

/**
 * Where the examples at and below a node are, each with the pointers of its value and its schema.
 * An example stands beside its schema, as in a media type, or in the schema itself.
 */
function* findExamples(node: unknown, at: string): Iterable<Example> {
  if (Array.isArray(node)) {
    for (const [index, item] of node.entries()) yield* findExamples(item, `${at}/${index}`)
    return
  }
  if (!isNode(node)) return

  if ('schema' in node) yield* examplesBesideSchema(node, at)
  // A schema of a component, or one below the key `schema` of a media type, parameter or header.
  const isSchema = at.startsWith('/components/schemas/') || at.includes('/schema')
  if (isSchema) yield* examplesOfSchema(node, at)

  for (const [name, child] of Object.entries(node)) {
    // Those are values, not nodes; but `/components/examples` has nodes.
    const areValues = name === 'examples' && at !== '/components'
    if (!areValues) yield* findExamples(child, pointerOf(at, name))
  }
}

/** Where the examples and the default of a schema are that stand in the schema itself. */
function* examplesOfSchema(schema: Node, at: string): Iterable<Example> {
  if (Array.isArray(schema.examples)) {
    for (const index of schema.examples.keys())
      yield { schemaAt: at, valuePointer: `${at}/examples/${index}` }
  }

  // A field of an object may be named `default` or `example`.
  if (at.endsWith('/properties')) return
  for (const name of ['default', 'example'])
    if (name in schema) yield { schemaAt: at, valuePointer: `${at}/${name}` }
}

/** Where the examples of a media type, parameter or header are, which stand beside its `schema`. */
function* examplesBesideSchema(holder: Node, at: string): Iterable<Example> {
  const schemaAt = `${at}/schema`
  if ('example' in holder) yield { schemaAt, valuePointer: `${at}/example` }

  if (!isNode(holder.examples)) return
  for (const [name, example] of Object.entries(holder.examples)) {
    const { $ref } = fieldsOf(example)
    const isReference = typeof $ref === 'string'
    const exampleAt = isReference ? pointerOfReference($ref) : pointerOf(`${at}/examples`, name)
    yield { schemaAt, valuePointer: `${exampleAt}/value` }
  }
}
