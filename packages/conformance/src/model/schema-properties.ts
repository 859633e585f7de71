import { stepsOf } from '@partner-payments/validator'
import { below, type Document, nodeOf } from './document.ts'
import { schemasIn } from './schemas-in.ts'
import { successesOf } from './statuses.ts'

/** Limits nested schemas. */
const MAX_DEPTH = 16

/** Names of the properties in successful responses. */
export function responseProperties(document: Document, view: Responding): string[] {
  return successSchemas(document, view).flatMap((schema) => propertyNames(document, schema))
}

/** Pointers to the schemas of successful responses. */
function successSchemas(document: Document, { pointer, statuses }: Responding): string[] {
  return successesOf(statuses).map((status) => {
    const response = document.follow(below(pointer, 'responses', status))
    const [type = ''] = Object.keys(nodeOf(response.node.content))
    return below(response.pointer, 'content', type, 'schema')
  })
}

interface Responding {
  readonly pointer: string
  readonly statuses: readonly string[]
}

/** Whether an object of a successful response declares a field: any object of its name, also within lists and branches. */
export function declaresField(document: Document, view: Responding, pointer: string): boolean {
  const name = stepsOf(pointer).at(-1) ?? ''
  const outer = stepsOf(pointer)
    .slice(0, -1)
    .findLast((it) => !isIndex(it))
  if (isIndex(name) || outer === undefined) return true
  const schemas = successSchemas(document, view).flatMap((it) => [...schemasIn(document, it)])
  const objects = schemas.map((it) => below(it, 'properties', outer)).filter((it) => document.at(it))
  return objects.some((it) =>
    [...schemasIn(document, it)].some((schema) => {
      const { properties, additionalProperties } = nodeOf(document.at(schema))
      return nodeOf(properties)[name] !== undefined || typeof additionalProperties === 'object'
    }),
  )
}

function isIndex(step: string): boolean {
  return /^\d+$/.test(step)
}

/** The names of the properties of a schema, including those of `allOf`. */
function propertyNames(document: Document, schema: string): string[] {
  return propertiesOf(document, schema).map(([name]) => name)
}

/** The properties of a schema, including those of `allOf`: names, and pointers into the contract. */
export function propertiesOf(
  document: Document,
  schema: string,
  depth = 0,
): (readonly [name: string, pointer: string])[] {
  const { pointer, node } = document.follow(schema)
  if (depth > MAX_DEPTH) return []
  const own = Object.keys(nodeOf(node.properties)).map(
    (it) => [it, below(pointer, 'properties', it)] as const,
  )
  const parts = Object.keys(nodeOf(node.allOf)).map((i) => below(pointer, 'allOf', i))
  return [...own, ...parts.flatMap((part) => propertiesOf(document, part, depth + 1))]
}
