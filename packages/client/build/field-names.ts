import { isNode } from '@partner-payments/spec/build'
import { type Node, readContract } from './contract.ts'

interface Bundle {
  readonly components: {
    readonly schemas: Readonly<Record<string, Node>>
    readonly parameters: Readonly<Record<string, { readonly in: string; readonly name: string }>>
  }
}

export interface FieldNames {
  /** The names of all fields of bodies and queries. */
  readonly names: readonly string[]
  /** The names of fields that contain declared fields. */
  readonly nesting: readonly string[]
}

/** Reads the field names of the contract. */
export async function readFieldNames(): Promise<FieldNames> {
  const { components } = await readContract<Bundle>()
  const { schemas, parameters } = components
  const fields = [...fieldsIn(Object.values(schemas))]
  const query = Object.values(parameters).filter((it) => it.in === 'query')
  return {
    names: sorted([...fields.map(([name]) => name), ...query.map(({ name }) => name)]),
    nesting: sorted(fields.filter(([, schema]) => hasFields(schema, schemas)).map(([name]) => name)),
  }
}

/** Every field of every object, at any depth. */
function* fieldsIn(node: unknown): Generator<[name: string, Node]> {
  if (typeof node !== 'object' || node === null) return
  for (const [key, value] of Object.entries(node)) {
    if (key === 'properties' && isNode(value)) yield* Object.entries(value) as [string, Node][]
    yield* fieldsIn(value)
  }
}

/** Whether the schema is an object with declared fields, or an array of such objects. False for a free-form object. */
function hasFields(schema: Node, schemas: Bundle['components']['schemas']): boolean {
  const { $ref, items, properties, allOf, anyOf, oneOf } = schema
  const target = schemas[String($ref).replace('#/components/schemas/', '')]
  const parts = [target, items, allOf, anyOf, oneOf].flat().filter(isNode)
  return properties !== undefined || parts.some((part) => hasFields(part, schemas))
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort()
}
