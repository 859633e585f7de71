/** The form of facts.yaml, and the contract without assumptions that it expects. */
import type { Node } from './marks.ts'

type Type = string | readonly [string]
type Fields = Readonly<Record<string, Type>>

/** One row of the document's list of endpoints. */
export interface FactOperation {
  readonly call: string
  /** The operation whose path a short path shortens. */
  readonly 'alias-of'?: string
  readonly security?: string
  readonly query?: readonly string[]
  readonly path?: readonly string[]
  readonly body?: readonly string[]
  readonly status?: number
  readonly response?: string
}

/** A sentence of the document and its location in the contract. */
export interface Statement {
  readonly id: string
  readonly section: string
  readonly says: string
  readonly at: string
}

export interface Facts {
  readonly values: Readonly<Record<string, Node>>
  readonly responses: Readonly<Record<string, Fields>>
  readonly requests: Readonly<Record<string, Fields>>
  readonly operations: Readonly<Record<string, FactOperation>>
  readonly guide: Readonly<Record<string, FactOperation>>
  readonly accepts: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>
  readonly statements: readonly Statement[]
}

/**
 * What facts.yaml says of an operation, in the form in which stated.ts has the unmarked part of the
 * contract, so that both can be compared: `{ security, parameters, body, 'response 200': … }`.
 */
export function expectedOperation(facts: Facts, operation: FactOperation): Node {
  // `?` is a status that the document does not say; a token is needed unless it says otherwise.
  const { body, status = '?', response, security = 'bearer', 'alias-of': aliasOf } = operation
  const expected: Record<string, unknown> = { security }
  if (aliasOf) expected['alias-of'] = aliasOf

  const parameters = createParameters(facts, operation)
  const hasParameters = Object.keys(parameters).length > 0
  if (hasParameters) expected.parameters = parameters

  if (body) expected.body = createBody(facts, body)
  if (response) expected[`response ${status}`] = createResponse(facts, response)
  return expected
}

/** The parameters of an operation, by names such as `query status`. */
function createParameters(facts: Facts, { query = [], path = [] }: FactOperation): Node {
  const schema = facts.values.string
  const parameters: Record<string, Node> = {}
  for (const name of query) parameters[`query ${name}`] = { required: false, schema }
  for (const name of path) parameters[`path ${name}`] = { required: true, schema }
  return parameters
}

/** The body of a request, which has one of the named objects. */
function createBody(facts: Facts, names: readonly string[]): Node {
  const schemas = names.map((name) => createSchema(facts, name))
  return { required: true, ...jsonContent(choice(schemas)) }
}

function choice(schemas: readonly Node[]): Node {
  const [only] = schemas
  return schemas.length === 1 && only ? only : { oneOf: schemas }
}

/** The document shows no header of a response. */
function createResponse(facts: Facts, response: string): Node {
  if (response === 'nothing') return { headers: {}, content: {} }
  if (response === 'not shown') return { headers: {} }
  return { headers: {}, ...jsonContent(createSchema(facts, response)) }
}

/** Introduction of the document: bodies are JSON. */
function jsonContent(schema: Node): Node {
  return { content: { 'application/json': { schema } } }
}

/**
 * The JSON Schema of a type of facts.yaml: of `amount`, a value of its section `values`; of
 * `KeyCheck`, an object of a response or a request; and of `[KeyCheck]`, an array of it.
 */
function createSchema(facts: Facts, type: Type): Node {
  if (typeof type !== 'string') return { type: 'array', items: createSchema(facts, type[0]) }

  const value = facts.values[type]
  if (value) return value

  // A field of a response is required unless its name ends with `?`.
  const response = facts.responses[type]
  if (response) return createObject(facts, response, (name) => !name.endsWith('?'))

  // A field of a request is optional unless its name ends with `!`.
  const request = facts.requests[type]
  if (request) return createObject(facts, request, (name) => name.endsWith('!'))

  throw new Error(`facts.yaml: "${type}" is neither a value nor an object of it`)
}

/** The name of a field, without `!` (required in a request) or `?` (may be missing in a response). */
export function fieldName(name: string): string {
  return name.replace(/[!?]$/, '')
}

/**
 * The schema of an object of facts.yaml. The names of its fields can end with `!` or `?`, which
 * `isRequired` reads and the schema does not have.
 */
function createObject(facts: Facts, fields: Fields, isRequired: (name: string) => boolean): Node {
  const properties: Record<string, Node> = {}
  const required: string[] = []
  for (const [name, type] of Object.entries(fields)) {
    const bareName = fieldName(name)
    properties[bareName] = createSchema(facts, type)
    if (isRequired(name)) required.push(bareName)
  }
  if (required.length === 0) return { type: 'object', properties }
  // Sorted as in stated.ts, since the lists are compared.
  return { type: 'object', properties, required: required.sort() }
}
