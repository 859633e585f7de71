import { deprecationOf } from './deprecation.ts'
import { fieldsOf, type Json } from './json.ts'
import type { Body, Declared, Example, Parameter, Response } from './operation.ts'
import { pointerOf, stepsOf, valueAt } from './pointer.ts'

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** The operations of a bundled document, or the events that it describes, in its order. */
export function readDeclared(document: Json, section: 'paths' | 'webhooks'): Declared[] {
  const declared: Declared[] = []
  for (const [path, value] of Object.entries(fieldsOf(document[section]))) {
    const item = fieldsOf(value)
    // A path also has fields that are no methods, such as `parameters`.
    const methods = Object.keys(item).filter((field) => METHODS.includes(field))
    for (const method of methods) {
      const pointer = pointerOf(pointerOf(`/${section}`, path), method)
      declared.push(readDeclaredAt(document, pointer, path, item, method))
    }
  }
  return declared
}

/** One operation or event, as its document declares it. */
function readDeclaredAt(
  document: Json,
  pointer: string,
  path: string,
  item: Json,
  method: string,
): Declared {
  const node = fieldsOf(item[method])
  const { operationId, tags, summary = '', description = '', requestBody } = node
  const responses = Object.entries(fieldsOf(node.responses))
  return {
    id: String(operationId),
    tag: String(valueAt(tags, '/0') ?? ''),
    summary: String(summary),
    description: String(description),
    deprecation: deprecationOf(node),
    method: method.toUpperCase(),
    path,
    parameters: [item.parameters, node.parameters].flatMap((list) =>
      readParameters(document, list),
    ),
    request: readBody(document, requestBody),
    responses: responses.map(([status, response]) => readResponse(document, status, response)),
    document,
    pointer,
    node,
    item,
  }
}

/** The parameters of a list, each with the target of its reference. */
function readParameters(document: Json, list: unknown): Parameter[] {
  if (!Array.isArray(list)) return []
  return list.map((parameter) => {
    const node = resolve(document, parameter)
    const schema = resolve(document, node.schema)
    return {
      name: String(node.name),
      in: node.in as Parameter['in'],
      isRequired: node.required === true,
      description: String(node.description ?? ''),
      schema,
      example: node.example ?? valueAt(schema, '/examples/0'),
      node,
    }
  })
}

/** A response with its body, and the error codes in its examples. */
function readResponse(document: Json, status: string, response: unknown): Response {
  const node = resolve(document, response)
  const body = readBody(document, node)
  const values = (body?.examples ?? []).map(({ value }) => fieldsOf(value).code)
  return {
    status,
    body,
    codes: values.filter((code) => typeof code === 'string'),
    node,
  }
}

/** The body of a request or a response: that of its first media type. */
function readBody(document: Json, holder: unknown): Body | undefined {
  const { content } = resolve(document, holder)
  const [media] = Object.values(fieldsOf(content))
  if (media === undefined) return undefined

  const { schema, examples } = fieldsOf(media)
  return {
    name: schemaName(schema),
    schema: fieldsOf(schema),
    examples: Object.entries(fieldsOf(examples)).map(([name, example]) =>
      readExample(document, name, example),
    ),
  }
}

/** An example by its name, with the target of its reference. */
function readExample(document: Json, name: string, example: unknown): Example {
  const { summary, value } = resolve(document, example)
  return {
    name,
    summary: typeof summary === 'string' ? summary : undefined,
    value,
  }
}

/** The name of the component that a schema refers to, or the title of an inlined one. */
function schemaName(schema: unknown): string | undefined {
  const { $ref, title } = fieldsOf(schema)
  if (typeof $ref === 'string') return stepsOf($ref).at(-1)
  return typeof title === 'string' ? title : undefined
}

/** A longer chain of references is circular. */
const MAX_HOPS = 40

/** A node, or the target of its reference; empty if there is none. */
export function resolve(document: Json, value: unknown, hops = 0): Json {
  const node = fieldsOf(value)
  if (typeof node.$ref !== 'string' || hops > MAX_HOPS) return node
  return resolve(document, valueAt(document, node.$ref), hops + 1)
}

/** A schema, those that it combines, and their targets. Each of them may have a field. */
export function branchesOf(document: Json, schema: unknown, hops = 0): Json[] {
  if (hops > MAX_HOPS) return []
  const node = resolve(document, schema)
  const combined = [node.allOf, node.oneOf, node.anyOf].filter(Array.isArray).flat()
  return [node, ...combined.flatMap((branch) => branchesOf(document, branch, hops + 1))]
}

/** The schemas at a JSON pointer into a body; none if the body cannot have that field. */
export function schemasAt(document: Json, schema: unknown, pointer: string): Json[] {
  let schemas = branchesOf(document, schema)
  for (const step of stepsOf(pointer)) {
    const children = schemas.flatMap((parent) => listChildren(parent, step))
    schemas = children.flatMap((child) => branchesOf(document, child))
  }
  return schemas
}

/** The schema of a property, or of the items of an array. */
function listChildren({ properties, items }: Json, step: string): unknown[] {
  const property = fieldsOf(properties)[step]
  if (property !== undefined) return [property]
  const isIndex = /^\d+$/.test(step)
  return isIndex && items !== undefined ? [items] : []
}
