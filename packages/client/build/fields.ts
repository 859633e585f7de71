import { isNode } from '@partner-payments/spec/build'
import { UNMASKED_FIELDS } from '../src/unmasked-fields.ts'
import { contract, type Node, nameIn, operationsIn } from './contract.ts'

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
  const fields = [...fieldsIn(schemas)]
  const query = Object.values(parameters).filter((it) => it.in === 'query')
  const nesting = fields.filter(([, schema]) => hasFields(schema))
  return `
/** The names of all fields of bodies and queries. */
export const fieldNames = ${printSet([...fields.map(([name]) => name), ...query.map(({ name }) => name)])}

/** The names of fields that contain declared fields. */
export const nestingFields = ${printSet(nesting.map(([name]) => name))}
`
}

function printSet(names: readonly string[]): string {
  return `/* @__PURE__ */ new Set(${JSON.stringify([...new Set(names)].sort())})`
}

/**
 * Prints the request fields whose values an error message may show, each with its pattern. The
 * pattern is empty if the field has none, or different ones in different schemas.
 */
export function printRules(): string {
  const bodies = operationsIn(contract.paths).map(([, , { requestBody }]) => requestBody)
  const shown = [...fieldsIn(bodies)].filter(
    ([name]) => UNMASKED_FIELDS.has(name) || AMOUNTS.has(name),
  )
  const rules = [...Map.groupBy(shown, ([name]) => name)].map(([name, all]) => {
    const patterns = all.map(([, schema]) => patternOf(schema))
    const [pattern = '', ...others] = new Set(patterns.filter((it) => it !== undefined))
    return [name, others.length === 0 ? pattern : '']
  })
  return `
/** Fields whose values an error message may show, with the pattern of a string. */
export const rules: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries(rules), undefined, 2)}
`
}

/** Every field of every object, at any depth; visits each object once. */
function* fieldsIn(node: unknown, visited = new Set()): Generator<[name: string, Node]> {
  if (typeof node !== 'object' || node === null || visited.has(node)) return
  visited.add(node)
  const { properties, $ref } = node as Node
  if ($ref) yield* fieldsIn(schemas[nameIn(`${$ref}`)], visited)
  if (isNode(properties)) yield* Object.entries(properties) as [string, Node][]
  for (const value of Object.values(node)) yield* fieldsIn(value, visited)
}

/**
 * Whether the schema is an object with declared fields, or an array of such objects. False for a
 * free-form object.
 */
function hasFields(schema: Node): boolean {
  const { $ref, items, properties, allOf, anyOf, oneOf } = schema
  const parts = [schemas[nameIn(`${$ref}`)], items, allOf, anyOf, oneOf].flat().filter(isNode)
  return properties !== undefined || parts.some((part) => hasFields(part))
}

/**
 * The pattern of a schema, else of the schema that it refers to; `undefined` for an object, which
 * has no pattern.
 */
function patternOf({ pattern, $ref, type }: Node): string | undefined {
  const target = schemas[nameIn(`${$ref}`)]
  if (typeof pattern === 'string') return pattern
  return target ? patternOf(target) : type === 'object' ? undefined : ''
}
