import { isNode } from '@partner-payments/spec/build'
import { SHOWN } from '../src/shown.ts'
import type { Bundle } from './answers.ts'
import type { Node } from './contract.ts'

/** Not in `SHOWN`, since a paid amount is secret. A refused amount was not paid, and the message must show what is wrong. */
export const AMOUNTS = new Set(['amount', 'original'])

/**
 * The properties of requests whose values an error message may show, each with the pattern that it must match; empty
 * where it has none, or several in different places.
 */
export function rulesByName({ paths, components }: Bundle): string {
  const bodies = Object.values(paths).flatMap((item) =>
    Object.values(item)
      .filter(isNode)
      .map(({ requestBody }) => requestBody),
  )
  const properties = [...propertiesIn(bodies, components.schemas)]
  const shown = properties.filter(([name]) => SHOWN.has(name) || AMOUNTS.has(name))
  const rules = [...Map.groupBy(shown, ([name]) => name)].map(([name, all]) => {
    const patterns = all.map(([, schema]) => patternOf(schema, components.schemas))
    const [pattern = '', ...others] = new Set(patterns.filter((it) => it !== undefined))
    return [name, others.length === 0 ? pattern : '']
  })
  return `
/** Properties whose values an error message may show, with what a string there must match. */
export const rules: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries(rules), undefined, 2)}
`
}

type Schemas = Bundle['components']['schemas']

/** Every property of every object, at any depth, each object once. */
function* propertiesIn(node: unknown, schemas: Schemas, seen = new Set()): Generator<[name: string, Node]> {
  if (typeof node !== 'object' || node === null || seen.has(node)) return
  seen.add(node)
  const { properties, $ref } = node as Node
  if ($ref) yield* propertiesIn(targetOf($ref, schemas), schemas, seen)
  if (isNode(properties)) yield* Object.entries(properties) as [string, Node][]
  for (const value of Object.values(node)) yield* propertiesIn(value, schemas, seen)
}

/** That of a schema, before that of the one it refers to; `undefined` for an object, which has no rule of a string. */
function patternOf({ pattern, $ref, type }: Node, schemas: Schemas): string | undefined {
  const target = targetOf($ref, schemas)
  if (typeof pattern === 'string') return pattern
  return target ? patternOf(target, schemas) : type === 'object' ? undefined : ''
}

function targetOf($ref: unknown, schemas: Schemas): Node | undefined {
  return schemas[String($ref).replace('#/components/schemas/', '')]
}
