import { fieldsOf, pointerOf, valueAt } from '@partner-payments/contract'
import { isNode, type Node } from '../lint/marks.ts'

/** Where examples show a value of each schema: the values by their pointers, by that of the schema. */
export type ExamplePlaces = ReadonlyMap<string, ReadonlyMap<string, unknown>>

/**
 * Walks each example of bundled contracts beside its schema.
 *
 * @example
 * examplePlaces([contract, guide]).get('/components/schemas/TransferStatus')
 */
export function examplePlaces(contracts: readonly Node[]): ExamplePlaces {
  const places = new Map<string, Map<string, unknown>>()
  for (const contract of contracts) addPlaces(contract, places)
  return places
}

function addPlaces(contract: Node, places: Map<string, Map<string, unknown>>): void {
  for (const { schema, value } of examplesIn(contract, '')) walk(schema, value)

  function walk(schemaAt: string, valuePointer: string): void {
    const schema = valueAt(contract, schemaAt)
    const value = valueAt(contract, valuePointer)
    if (!isNode(schema) || value === undefined) return

    const known = places.get(schemaAt) ?? new Map<string, unknown>()
    places.set(schemaAt, known)
    known.set(valuePointer, value)

    if (typeof schema.$ref === 'string') walk(schema.$ref.slice(1), valuePointer)
    for (const branch of branchesOf(schemaAt, schema, value)) walk(branch, valuePointer)
    if (Array.isArray(value))
      for (const i of value.keys())
        walk(pointerOf(schemaAt, 'items'), pointerOf(valuePointer, String(i)))
    if (!isNode(value) || !isNode(schema.properties)) return
    for (const name of Object.keys(schema.properties))
      if (name in value)
        walk(pointerOf(pointerOf(schemaAt, 'properties'), name), pointerOf(valuePointer, name))
  }

  function branchesOf(schemaAt: string, schema: Node, value: unknown): string[] {
    const branches = (keyword: string) =>
      [schema[keyword] ?? []].flat().map((_, i) => `${schemaAt}/${keyword}/${i}`)
    const alternatives = [...branches('oneOf'), ...branches('anyOf')]
    return [...branches('allOf'), ...alternatives.filter((branch) => mayBe(branch, value))]
  }

  /** Whether the constants and the type of a branch are those of a value. */
  function mayBe(schemaAt: string, value: unknown): boolean {
    const schema = fieldsOf(valueAt(contract, schemaAt))
    const parts = branchesOf(schemaAt, { allOf: schema.allOf }, value)
    if (typeof schema.$ref === 'string') parts.push(schema.$ref.slice(1))
    if (!parts.every((part) => mayBe(part, value))) return false

    const isObject = isNode(value)
    if (typeof schema.type === 'string' && (schema.type === 'object') !== isObject) return false
    return Object.entries(fieldsOf(schema.properties)).every(([name, property]) => {
      const constant = isNode(property) ? property.const : undefined
      return constant === undefined || (isNode(value) && value[name] === constant)
    })
  }
}

interface Example {
  readonly schema: string
  readonly value: string
}

/** The examples beside a schema, and those of a schema itself. */
function* examplesIn(value: unknown, at: string): Iterable<Example> {
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) yield* examplesIn(item, `${at}/${i}`)
    return
  }
  if (!isNode(value)) return

  if ('schema' in value) yield* besideSchema(value, at)
  const isSchema = at.startsWith('/components/schemas/') || at.includes('/schema')
  if (isSchema && Array.isArray(value.examples))
    for (const i of value.examples.keys()) yield { schema: at, value: `${at}/examples/${i}` }
  for (const name of ['default', 'example'])
    if (isSchema && name in value && !at.endsWith('/properties'))
      yield { schema: at, value: `${at}/${name}` }

  for (const [name, child] of Object.entries(value))
    if (name !== 'examples' || at === '/components') yield* examplesIn(child, pointerOf(at, name))
}

/** The examples of a media type, a parameter or a header. */
function* besideSchema(holder: Node, at: string): Iterable<Example> {
  const schema = `${at}/schema`
  if ('example' in holder) yield { schema, value: `${at}/example` }
  if (!isNode(holder.examples)) return
  for (const [name, example] of Object.entries(holder.examples)) {
    const ref = isNode(example) ? example.$ref : undefined
    const own = pointerOf(`${at}/examples`, name)
    yield { schema, value: `${typeof ref === 'string' ? ref.slice(1) : own}/value` }
  }
}
