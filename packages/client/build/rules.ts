import { isNode } from '@partner-payments/spec/build'
import { UNMASKED_FIELDS } from '../src/unmasked-fields.ts'
import type { Node } from './contract.ts'
import type { Bundle } from './response-checks.ts'

/** Shown in error messages but masked in logs: a paid amount is secret, but a refused amount was not paid. */
export const AMOUNTS = new Set(['amount', 'original'])

/**
 * Prints the request fields whose values an error message may show, each with its pattern. The pattern is empty if the
 * field has none, or different ones in different schemas.
 */
export function rulesByName({ paths, components }: Bundle): string {
  const bodies = Object.values(paths).flatMap((item) =>
    Object.values(item)
      .filter(isNode)
      .map(({ requestBody }) => requestBody),
  )
  const properties = [...propertiesIn(bodies, components.schemas)]
  const shown = properties.filter(([name]) => UNMASKED_FIELDS.has(name) || AMOUNTS.has(name))
  const rules = [...Map.groupBy(shown, ([name]) => name)].map(([name, all]) => {
    const patterns = all.map(([, schema]) => patternOf(schema, components.schemas))
    const [pattern = '', ...others] = new Set(patterns.filter((it) => it !== undefined))
    return [name, others.length === 0 ? pattern : '']
  })
  return `
/** Fields whose values an error message may show, with the pattern of a string. */
export const rules: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries(rules), undefined, 2)}
`
}

type Schemas = Bundle['components']['schemas']

/** Every property of every object, at any depth; visits each object once. */
function* propertiesIn(
  node: unknown,
  schemas: Schemas,
  visited = new Set(),
): Generator<[name: string, Node]> {
  if (typeof node !== 'object' || node === null || visited.has(node)) return
  visited.add(node)
  const { properties, $ref } = node as Node
  if ($ref) yield* propertiesIn(targetOf($ref, schemas), schemas, visited)
  if (isNode(properties)) yield* Object.entries(properties) as [string, Node][]
  for (const value of Object.values(node)) yield* propertiesIn(value, schemas, visited)
}

/** The pattern of a schema, else of the schema that it refers to; `undefined` for an object, which has no pattern. */
function patternOf({ pattern, $ref, type }: Node, schemas: Schemas): string | undefined {
  const target = targetOf($ref, schemas)
  if (typeof pattern === 'string') return pattern
  return target ? patternOf(target, schemas) : type === 'object' ? undefined : ''
}

function targetOf($ref: unknown, schemas: Schemas): Node | undefined {
  return schemas[String($ref).replace('#/components/schemas/', '')]
}
