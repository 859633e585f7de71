import { stepsOf } from '@partner-payments/validator'
import { below, type Document, nodeOf } from './document.ts'
import { successesOf } from './statuses.ts'

/** Limits nested schemas. */
const MAX_DEPTH = 16

/** Names of the properties in successful responses. */
export function responseProperties(document: Document, view: Responding): string[] {
  return successSchemas(document, view).flatMap((schema) => propertyNames(document, schema))
}

/** Pointers to the schemas of successful responses. */
export function successSchemas(document: Document, { pointer, statuses }: Responding): string[] {
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

/** Whether a successful response, or an object in it, declares the field at a pointer. */
export function declaresField(document: Document, view: Responding, pointer: string): boolean {
  const records = successSchemas(document, view).flatMap((schema) => [
    schema,
    ...propertiesOf(document, schema).map(([, it]) => it),
  ])
  const steps = stepsOf(pointer)
  return records.some((record) => {
    const found = steps.reduce<string | undefined>(
      (at, name) => (at === undefined ? undefined : new Map(propertiesOf(document, at)).get(name)),
      record,
    )
    return found !== undefined
  })
}

/** The names of the properties of a schema, including those of `allOf`. */
export function propertyNames(document: Document, schema: string): string[] {
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
