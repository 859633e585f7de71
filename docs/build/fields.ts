import { type Contract, isNode, type Node, resolve } from './contract.ts'
import { wholeMark } from './marks.ts'
import { marksThrough, textOf } from './references.ts'

/** A field or parameter as a page lists it; `path` says where it is inside a body. */
export interface Field {
  readonly name: string
  readonly path: string
  readonly type: string
  readonly isRequired: boolean
  readonly description: unknown
  readonly values: readonly unknown[]
  /** What each value means, where the contract says so. */
  readonly meanings: Readonly<Record<string, unknown>>
  /** The guide, and the heading of it, that explains the field. */
  readonly guide: unknown
  /** The open questions that it rests on. */
  readonly questions: readonly string[]
}

/** Every field of a schema, those of objects and arrays in it included. `inherited` is the question of what is around it. */
export function fieldsOf(schema: unknown, contract: Contract, inherited?: string): Field[] {
  const fields = walk(schema, { contract, path: '', inherited, depth: 0 })
  return [...new Map(fields.map((field) => [field.path, field])).values()]
}

type Place = { contract: Contract; path: string; inherited: string | undefined; depth: number }

function walk(value: unknown, place: Place): Field[] {
  if (!isNode(value) || place.depth > 8) return []
  const schema = target(value, place.contract)
  const inside = {
    ...place,
    inherited: wholeMark(value) ?? wholeMark(schema) ?? place.inherited,
    depth: place.depth + 1,
  }
  const parts = [schema.allOf, schema.oneOf, schema.anyOf].flat()
  const properties = Object.entries(isNode(schema.properties) ? schema.properties : {})
  return [
    ...parts.flatMap((part) => walk(part, inside)),
    ...walk(schema.items, { ...inside, path: place.path && `${place.path}[]` }),
    ...properties.flatMap(([name, node]) => {
      const path = place.path ? `${place.path}.${name}` : name
      const isRequired = Array.isArray(schema.required) && schema.required.includes(name)
      return [
        fieldOf(name, node as Node, { ...inside, path }, isRequired),
        ...walk(node, { ...inside, path }),
      ]
    }),
  ]
}

/** A property or a parameter as a field. */
export function fieldOf(
  name: string,
  node: Node,
  { contract, path, inherited }: Omit<Place, 'depth'>,
  isRequired: boolean,
): Field {
  const own = marksThrough(node, contract).map(({ question }) => question)
  const schema = target(isNode(node.schema) ? node.schema : node, contract)
  return {
    name,
    path,
    type: typeOf(schema, contract),
    isRequired,
    description: textOf(node, contract) ?? schema.description,
    values: [schema.enum ?? []].flat(),
    meanings: isNode(schema['x-enumDescriptions']) ? schema['x-enumDescriptions'] : {},
    guide: node['x-guide'] ?? schema['x-guide'],
    questions: [...new Set(own.length > 0 ? own : [inherited ?? []].flat())],
  }
}

function target(node: Node, contract: Contract): Node {
  return typeof node.$ref === 'string' ? target(resolve(contract, node.$ref), contract) : node
}

function typeOf(schema: Node, contract: Contract): string {
  if (schema.type === 'array' && isNode(schema.items))
    return `array of ${typeOf(target(schema.items, contract), contract)}`
  const named = [schema.type ?? []].flat().join(' or ')
  const [first] = [schema.allOf, schema.oneOf, schema.anyOf].flat().filter(isNode)
  const type = named || (first ? typeOf(target(first, contract), contract) : 'any')
  return schema.format ? `${type} (${schema.format})` : type
}
