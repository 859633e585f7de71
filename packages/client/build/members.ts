import { isNode } from '@partner-payments/spec/build'
import { type Node, readContract } from './contract.ts'

interface Bundle {
  readonly components: {
    readonly schemas: Readonly<Record<string, Node>>
    readonly parameters: Readonly<Record<string, { readonly in: string; readonly name: string }>>
  }
}

/** The names of everything a body or a query of the contract may hold, and which of them hold members in turn. */
export async function readMembers(): Promise<{ names: string[]; holders: string[] }> {
  const { components } = await readContract<Bundle>()
  const { schemas, parameters } = components
  const members = [...membersIn(Object.values(schemas))]
  const query = Object.values(parameters).filter((it) => it.in === 'query')
  return {
    names: sorted([...members.map(([name]) => name), ...query.map(({ name }) => name)]),
    holders: sorted(members.filter(([, schema]) => holds(schema, schemas)).map(([name]) => name)),
  }
}

/** Every member of every object, at any depth. */
function* membersIn(node: unknown): Generator<[name: string, Node]> {
  if (typeof node !== 'object' || node === null) return
  for (const [key, value] of Object.entries(node)) {
    if (key === 'properties' && isNode(value)) yield* Object.entries(value) as [string, Node][]
    yield* membersIn(value)
  }
}

/** May it be an object whose members are known, or a list of such? A free-form object is not among them. */
function holds(schema: Node, schemas: Bundle['components']['schemas']): boolean {
  const { $ref, items, properties, allOf, anyOf, oneOf } = schema
  const target = schemas[String($ref).replace('#/components/schemas/', '')]
  const parts = [target, items, allOf, anyOf, oneOf].flat().filter(isNode)
  return properties !== undefined || parts.some((part) => holds(part, schemas))
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort()
}
