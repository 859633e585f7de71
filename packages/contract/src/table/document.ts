import { fieldsOf, type Json } from '../json/json.ts'
import { pointerOf, stepsOf, valueAt } from '../json/pointer.ts'
import { deprecationOf } from './deprecation.ts'
import type { Body, Declared, Example, Parameter, Response } from './operation.ts'

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/**
 * Lists the operations that a bundled document declares, or its webhook events, in the order of the
 * document.
 */
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

/**
 * Reads one operation or event, as its document declares it.
 *
 * @param pointer where it is in the document
 * @param item the path, which may have parameters for all its methods
 */
function readDeclaredAt(
  document: Json,
  pointer: string,
  path: string,
  item: Json,
  method: string,
): Declared {
  const node = fieldsOf(item[method])
  const { operationId, tags, summary = '', description = '', requestBody } = node
  const firstTag = valueAt(tags, '/0') ?? ''
  const parametersOfPath = readParameters(document, item.parameters)
  const responses = Object.entries(fieldsOf(node.responses))
  return {
    id: String(operationId),
    tag: String(firstTag),
    summary: String(summary),
    description: String(description),
    deprecation: deprecationOf(node),
    method: method.toUpperCase(),
    path,
    parameters: [...parametersOfPath, ...readParameters(document, node.parameters)],
    request: readBody(document, requestBody),
    responses: responses.map(([status, response]) => readResponse(document, status, response)),
    document,
    pointer,
    node,
    item,
  }
}

/**
 * Reads a list of parameters, of a path or an operation. Each may be a reference to another place.
 */
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

/** Reads a response with its body. `codes` are the error codes that its examples have. */
function readResponse(document: Json, status: string, response: unknown): Response {
  const node = resolve(document, response)
  const body = readBody(document, node)
  const codes: string[] = []
  for (const { value } of body?.examples ?? []) {
    const { code } = fieldsOf(value)
    if (typeof code === 'string') codes.push(code)
  }
  return { status, body, codes, node }
}

/**
 * Reads the body of a request or a response: its schema and its examples, for the first media type.
 * Undefined if it has no body.
 */
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

/** Reads an example with its name. It may be a reference to another place. */
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

/**
 * A schema, and all that it combines with `allOf`, `oneOf` or `anyOf`, at any depth, without
 * references. A field of the value may be declared in any of them.
 */
export function branchesOf(document: Json, schema: unknown, hops = 0): Json[] {
  if (hops > MAX_HOPS) return []
  const node = resolve(document, schema)
  const combined = [node.allOf, node.oneOf, node.anyOf].filter(Array.isArray).flat()
  return [node, ...combined.flatMap((branch) => branchesOf(document, branch, hops + 1))]
}

/**
 * The schemas that describe the value at a JSON pointer into a body, such as `/payer/name` or
 * `/data/0/id`: several if schemas are combined (`allOf`, `oneOf`); none if the body cannot have
 * that field.
 */
export function schemasAt(document: Json, schema: unknown, pointer: string): Json[] {
  let schemas = branchesOf(document, schema)
  for (const step of stepsOf(pointer)) {
    const children = schemas.flatMap((parent) => listChildren(parent, step))
    schemas = children.flatMap((child) => branchesOf(document, child))
  }
  return schemas
}

/**
 * The schema of the property that is named `step`, or of the items if `step` is an index; or none.
 */
function listChildren({ properties, items }: Json, step: string): unknown[] {
  const property = fieldsOf(properties)[step]
  if (property !== undefined) return [property]
  const isIndex = /^\d+$/.test(step)
  return isIndex && items !== undefined ? [items] : []
}
