import short from '@partner-payments/spec/guide.json' with { type: 'json' }
import bundled from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'

/** The part of the contract that the tests read. */
export interface Contract {
  paths: Record<string, Record<string, OperationObject> & { parameters?: ParameterObject[] }>
  components: { examples: Record<string, { value: Json }>; [kind: string]: unknown }
}

interface OperationObject {
  operationId: string
  security?: Record<string, unknown>[]
  parameters?: ParameterObject[]
  requestBody?: { content: Record<string, MediaType> }
  responses: Record<string, ResponseObject>
}

export interface ResponseObject {
  content?: Record<string, MediaType>
  headers?: Record<string, { required?: boolean; schema: object }>
}

interface MediaType {
  schema: object
  examples: Record<string, { value: Json }>
}

interface ParameterObject {
  name: string
  in: string
  example: string
}

export type Json = Record<string, unknown>

/** An operation, with the data to call it. */
export interface Operation {
  id: string
  method: string
  path: string
  authorization: string
  responses: Record<string, ResponseObject>
  requests: [name: string, body: Json][]
  requestSchema: object | undefined
}

const ajv = new Ajv2020({ strict: false, allErrors: true, formats: fullFormats })

// Copied first, so that a mock that modifies the contract does not affect the tests.
const contract = structuredClone(bundled) as unknown as Contract

const guide = structuredClone(short) as unknown as Contract

/** The components of both documents; equal names have equal content. */
const components = Object.fromEntries(
  Object.entries(contract.components).map(([kind, own]) => [
    kind,
    Object.assign({}, guide.components[kind], own),
  ]),
)

/** A copy of the contract that a test can modify. */
export function copyOfContract(): Contract {
  return structuredClone(contract)
}

/** The operations of the contract, then the short paths of the guide. */
export const operations: Operation[] = [contract, guide].flatMap(({ paths }) =>
  Object.entries(paths).flatMap(([path, { parameters, ...methods }]) =>
    Object.entries(methods)
      .filter(([method]) => !method.startsWith('x-'))
      .map(([method, operation]) => toOperation(path, method, operation, parameters)),
  ),
)

export function operation(id: string): Operation {
  const found = operations.find((operation) => operation.id === id)
  if (!found) throw new Error(`no operation ${id}`)
  return found
}

/** The body of the named request example, by default of the first one. */
export function bodyOf({ requests }: Operation, name?: string): Json | undefined {
  return requests.find(([key]) => name === undefined || key === name)?.[1]
}

/** Calls an operation with the contract's examples; `headers` and `body` override them. */
export function call(
  url: string,
  operation: Operation,
  { headers = {}, body = bodyOf(operation) }: Call = {},
) {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  return fetch(`${url}${operation.path}`, {
    method: operation.method,
    headers: { authorization: operation.authorization, ...type, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

interface Call {
  headers?: Record<string, string>
  body?: Json | undefined
}

/** The differences between a response and the contract; empty if it conforms. */
export async function deviations(operation: Operation, response: Response): Promise<string[]> {
  const declared = operation.responses[response.status]
  if (!declared) return [`status ${response.status} is not declared`]
  const text = await response.clone().text()
  return [...headerDeviations(declared, response), ...bodyDeviations(declared, response, text)]
}

/** The schema errors of a value. */
export function errorsOf(schema: object, value: unknown): string[] {
  const validate = validators.get(schema) ?? ajv.compile({ ...schema, components })
  validators.set(schema, validate)
  return validate(value)
    ? []
    : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
}

/** Cached, since compiling a schema takes most of the time of a test. */
const validators = new WeakMap<object, ValidateFunction>()

function headerDeviations({ headers = {} }: ResponseObject, response: Response): string[] {
  return Object.entries(headers).flatMap(([name, { required, schema }]) => {
    const value = response.headers.get(name)
    if (value === null) return required ? [`header ${name} is missing`] : []
    return errorsOf(schema, value).map((error) => `header ${name}${error}`)
  })
}

function bodyDeviations({ content }: ResponseObject, response: Response, text: string): string[] {
  const type = response.headers.get('content-type')
  if (!content) return text === '' && type === null ? [] : ['an undeclared body']
  const media = content[type ?? '']
  return media ? errorsOf(media.schema, JSON.parse(text)) : [`content type ${type} is not declared`]
}

function toOperation(
  path: string,
  method: string,
  operation: OperationObject,
  shared: ParameterObject[] = [],
): Operation {
  const media = operation.requestBody?.content['application/json']
  const basic = operation.security?.some((scheme) => 'basic' in scheme)
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path: fill(path, resolve([...shared, ...(operation.parameters ?? [])])),
    authorization: basic ? `Basic ${btoa('key:secret')}` : 'Bearer some-token',
    responses: resolve(operation.responses),
    requests: Object.entries(resolve(media?.examples ?? {})).map(([name, { value }]) => [name, value]),
    requestSchema: media?.schema,
  }
}

function fill(path: string, parameters: ParameterObject[]): string {
  return parameters.reduce((filled, { name, example }) => filled.replace(`{${name}}`, example), path)
}

/** Resolves references, except inside schemas, where ajv resolves them. */
function resolve<T>(node: T): T {
  if (Array.isArray(node)) return node.map(resolve) as T
  if (typeof node !== 'object' || node === null) return node
  if ('$ref' in node) return resolve(lookUp(String(node.$ref))) as T
  const entries = Object.entries(node)
  return Object.fromEntries(
    entries.map(([key, value]) => [key, key === 'schema' ? value : resolve(value)]),
  ) as T
}

function lookUp(reference: string): unknown {
  return reference
    .split('/')
    .slice(1)
    .reduce<unknown>((node, step) => (node as Json)[step], { components })
}
