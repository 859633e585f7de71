import { isNode } from '@partner-payments/spec/build'
import { UNMASKED_FIELDS } from '../src/unmasked-fields.ts'
import { contract, type Node, operations, readName } from './contract.ts'

const { parameters, schemas } = contract.components

/**
 * Shown in error messages but masked in logs: a paid amount is secret, but a refused amount was not
 * paid.
 */
export const AMOUNTS = new Set(['amount', 'original'])

/**
 * Prints the names of all fields of bodies and queries, and of the fields that contain declared
 * fields.
 */
export function printFieldNames(): string {
  const fields = [...findFields(schemas)]
  const bodyNames = fields.map(([name]) => name)
  const queryParameters = Object.values(parameters).filter((parameter) => parameter.in === 'query')
  const queryNames = queryParameters.map(({ name }) => name)
  const nesting = fields.filter(([, schema]) => hasFields(schema))
  const nestingNames = nesting.map(([name]) => name)
  return `
/** The names of all fields of bodies and queries. */
export const fieldNames = ${printSet([...bodyNames, ...queryNames])}

/** The names of fields that contain declared fields. */
export const nestingFields = ${printSet(nestingNames)}
`
}

function printSet(names: readonly string[]): string {
  const unique = [...new Set(names)]
  return `/* @__PURE__ */ new Set(${JSON.stringify(unique.sort())})`
}

/**
 * Prints the request fields whose values an error message may show, each with its pattern. The
 * pattern is empty if the field has none, or different ones in different schemas.
 */
export function printRules(): string {
  const bodies = operations.map(({ request }) => request?.schema)
  const schemasByName = new Map<string, Node[]>()
  for (const [name, schema] of findFields(bodies)) {
    const mayBeShown = UNMASKED_FIELDS.has(name) || AMOUNTS.has(name)
    if (!mayBeShown) continue
    const earlier = schemasByName.get(name) ?? []
    schemasByName.set(name, [...earlier, schema])
  }

  const rules: Record<string, string> = {}
  for (const [name, schemasOfField] of schemasByName) rules[name] = sharedPattern(schemasOfField)
  return `
/** Fields whose values an error message may show, with the pattern of a string. */
export const rules: Readonly<Record<string, string>> = ${JSON.stringify(rules, undefined, 2)}
`
}

/** The pattern that all schemas of a field have; empty if they have none, or different ones. */
function sharedPattern(fieldSchemas: readonly Node[]): string {
  const patterns = new Set<string>()
  for (const schema of fieldSchemas) {
    const pattern = findPattern(schema)
    if (pattern !== undefined) patterns.add(pattern)
  }
  const [pattern = ''] = patterns
  return patterns.size === 1 ? pattern : ''
}

/** Every field of every object, at any depth; visits each object once. */
function* findFields(node: unknown, visited = new Set()): Generator<[name: string, Node]> {
  if (typeof node !== 'object' || node === null || visited.has(node)) return
  visited.add(node)
  const { properties, $ref } = node as Node
  if ($ref) yield* findFields(schemas[readName(`${$ref}`)], visited)
  if (isNode(properties)) yield* Object.entries(properties) as [string, Node][]
  for (const value of Object.values(node)) yield* findFields(value, visited)
}

/**
 * Whether the schema is an object with declared fields, or an array of such objects. False for a
 * free-form object.
 */
function hasFields(schema: Node): boolean {
  const { $ref, items, properties, allOf, anyOf, oneOf } = schema
  const parts = [schemas[readName(`${$ref}`)], items, allOf, anyOf, oneOf].flat().filter(isNode)
  return properties !== undefined || parts.some((part) => hasFields(part))
}

/**
 * The pattern of a schema, else of the schema that it refers to; `undefined` for an object, which
 * has no pattern.
 */
function findPattern({ pattern, $ref, type }: Node): string | undefined {
  if (typeof pattern === 'string') return pattern

  const target = schemas[readName(`${$ref}`)]
  if (target) return findPattern(target)

  if (type === 'object') return undefined
  return ''
}
