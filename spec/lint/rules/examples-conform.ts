import { isDeepStrictEqual } from 'node:util'
import { expected, fieldsOf, typeOf, valueAt } from '@partner-payments/contract'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { isNode, type Node } from '../marks.ts'
import {
  followChain,
  followReferences,
  listEntries,
  listOperations,
  type Operation,
  pointerBelow,
  pointerOfReference,
  reachableNodes,
  resolveNode,
} from '../operations.ts'
import type { Fault, Rule } from '../rule.ts'
import { didYouMean } from '../suggest.ts'

/** A value that a schema must accept, and the pointers of both. */
interface Example {
  readonly kind: 'default' | 'example'
  readonly value: unknown
  readonly at: string
  readonly schema: unknown
  readonly schemaAt: string
}

/**
 * Reports examples and defaults that do not conform to their schema, or have a field that it does
 * not declare.
 */
export const examplesConform: Rule = function* ({ contract, root, other }) {
  yield* exampleFaults(contract, root === 'guide' ? other : undefined)
  yield* wrongStatuses(contract)
}

/** Reports responses whose examples say another status in the body than that of the response. */
function* wrongStatuses(contract: Node): Generator<Fault> {
  for (const { operation, at } of listOperations(contract)) {
    for (const [status, response] of listEntries(operation.responses)) {
      const statusesOfExamples = problemStatuses(contract, response)
      const wrongStatus = statusesOfExamples.find((ofExample) => String(ofExample) !== status)
      if (wrongStatus === undefined) continue
      const message = `The examples of this ${status} have the status ${wrongStatus}; refer to a response of ${status}, or correct them.`
      yield { message, at: pointerBelow(at, 'responses', status) }
    }
  }
}

/** The statuses that the examples of a response show in their field `status`, if it is a problem. */
function problemStatuses(contract: Node, response: unknown): number[] {
  const content = fieldsOf(resolveNode(contract, response).content)
  const { examples } = fieldsOf(content['application/problem+json'])
  const values = listEntries(examples).map(([, example]) => resolveNode(contract, example).value)
  const statuses = values.map((value) => fieldsOf(value).status)
  return statuses.filter((status) => typeof status === 'number')
}

/** Kept by contract, since most changes are of a file beside it. */
const lastFaults = new WeakMap<object, readonly Fault[]>()

/**
 * The faults of all examples and defaults of a contract. The contract of the short paths
 * (`guide.yaml`) repeats schemas of the main one, whose examples are left out there.
 *
 * @param main The main contract, if `contract` is that of the short paths.
 */
function exampleFaults(contract: Node, main: Node | undefined): readonly Fault[] {
  // The contract is the same object as long as its files have not changed.
  const last = lastFaults.get(contract)
  if (last) return last

  const validate = createValidator(contract)
  const faults: Fault[] = []
  for (const example of uniqueExamples(contract, main))
    faults.push(...faultsOfExample(contract, validate, example))
  lastFaults.set(contract, faults)
  return faults
}

/**
 * The faults of one example: that it is the example of another body, or its misspelt fields, or
 * where it does not conform to its schema. Each kind would show as errors of the next.
 */
function faultsOfExample(contract: Node, validate: Validate, example: Example): Fault[] {
  const { value, schema, at, kind } = example
  const undeclaredFields = [...unknownFields(contract, value, [schema], at)]
  const isOfOtherBody = undeclaredFields.length > MAX_MISSPELT_FIELDS
  if (isOfOtherBody) return [otherExample(example)]

  // Of a misspelt field, the schema would report the correct name as missing.
  if (undeclaredFields.length > 0) return undeclaredFields

  const errors = validate(chosenSchema(contract, example), value)
  return withoutBranchErrors(errors).map((error) => ({
    message: describeError(error, kind),
    at: `${at}${error.instancePath}`,
  }))
}

/** Returns the errors of a value by the schema at a pointer. */
type Validate = (pointer: string, value: unknown) => readonly ErrorObject[]

/** With more unknown fields, an example is that of another body. */
const MAX_MISSPELT_FIELDS = 3

function otherExample({ at }: Example): Fault {
  const message =
    'The schema of the example has none of several of its fields; refer to the example of this body, or correct it.'
  return { message, at }
}

/**
 * Creates a function that validates a value by the schema at a pointer, and returns the errors of ajv.
 * It compiles each schema once.
 */
function createValidator(contract: Node): Validate {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    verbose: true,
    // Warnings would be about formats, which the rule schemas-work reports.
    logger: false,
    // Compiles faster and validates slower: each schema has only a few examples.
    inlineRefs: false,
    code: { optimize: false },
  })
  addFormats.default(ajv)
  ajv.addSchema({ ...contract }, 'contract')

  const compiled = new Map<string, ValidateFunction>()
  return (pointer, value) => {
    const validate =
      compiled.get(pointer) ?? ajv.compile({ $ref: `contract#${encodeURI(pointer)}` })
    compiled.set(pointer, validate)
    validate(value)
    return validate.errors ?? []
  }
}

/**
 * Each example of a contract once, without those whose schema and place the main contract has too.
 */
function* uniqueExamples(contract: Node, main: Node | undefined): Generator<Example> {
  const yieldedKeys = new Set<string>()
  for (const example of findExamples(contract)) {
    const { at, schema, schemaAt } = example
    const isRepeatedSchema = main && isDeepStrictEqual(schema, valueAt(main, schemaAt))
    if (isRepeatedSchema) continue

    const key = `${at} ${schemaAt}`
    if (yieldedKeys.has(key)) continue
    yieldedKeys.add(key)
    yield example
  }
}

/**
 * All examples of a contract with their schemas: those of bodies, those beside the schema of a
 * parameter or header, those in a schema, and the defaults of schemas.
 */
function* findExamples(contract: Node): Generator<Example> {
  const operations = [...listOperations(contract), ...listOperations(contract, 'webhooks')]
  for (const operation of operations) yield* examplesOfBodies(contract, operation)

  for (const { node, at } of reachableNodes(contract, contract, '')) {
    yield* exampleBesideSchema(node, at)
    yield* examplesOfSchema(node, at)
  }
}

/** The example of a parameter or a header, if the node is one: it stands beside the `schema`. */
function* exampleBesideSchema(node: Node, at: string): Generator<Example> {
  if (!('example' in node) || !('schema' in node)) return
  yield {
    kind: 'example',
    value: node.example,
    at: pointerBelow(at, 'example'),
    schema: node.schema,
    schemaAt: pointerBelow(at, 'schema'),
  }
}

/** The default and the examples that stand in a schema, if the node is one. */
function* examplesOfSchema(schema: Node, schemaAt: string): Generator<Example> {
  // Below `properties`, a field may be named "default".
  const isSchema = 'type' in schema || '$ref' in schema
  if (isSchema && 'default' in schema) {
    const at = pointerBelow(schemaAt, 'default')
    yield { kind: 'default', value: schema.default, at, schema, schemaAt }
  }

  if (!Array.isArray(schema.examples)) return
  for (const [index, value] of schema.examples.entries()) {
    const at = pointerBelow(schemaAt, 'examples', index)
    yield { kind: 'example', value, at, schema, schemaAt }
  }
}

/**
 * The examples of the bodies of an operation, of its request and of its responses, each with its
 * schema.
 */
function* examplesOfBodies(contract: Node, { operation, at }: Operation): Generator<Example> {
  yield* examplesOfContent(contract, operation.requestBody, pointerBelow(at, 'requestBody'))
  for (const [status, response] of listEntries(operation.responses))
    yield* examplesOfContent(contract, response, pointerBelow(at, 'responses', status))
}

/** The examples of all media types of a request body or of a response. */
function* examplesOfContent(contract: Node, message: unknown, at: string): Generator<Example> {
  const target = followReferences(contract, message, at)
  for (const [type, media] of listEntries(target.node.content))
    yield* examplesOfMedia(contract, media, pointerBelow(target.at, 'content', type))
}

/** The examples of a media type such as `application/json`, each with the schema beside it. */
function* examplesOfMedia(contract: Node, media: unknown, at: string): Generator<Example> {
  if (!isNode(media)) return
  for (const [name, item] of listEntries(media.examples)) {
    const example = followReferences(contract, item, pointerBelow(at, 'examples', name))
    yield {
      kind: 'example',
      value: example.node.value,
      at: pointerBelow(example.at, 'value'),
      schema: media.schema,
      schemaAt: pointerBelow(at, 'schema'),
    }
  }
}

/**
 * The pointer of the schema to compare an example with. For a choice with a discriminator (such as
 * `type`), it is the branch that the example names: the errors of that branch say more than
 * "matches none".
 */
function chosenSchema(contract: Node, { value, schema, schemaAt }: Example): string {
  const { discriminator } = resolveNode(contract, schema)
  if (!isNode(discriminator) || !isNode(value)) return schemaAt

  const nameOfBranch = value[String(discriminator.propertyName)]
  const branch = fieldsOf(discriminator.mapping)[String(nameOfBranch)]
  return typeof branch === 'string' ? pointerOfReference(branch) : schemaAt
}

/**
 * Reports fields of a value, and of the objects in it, that none of its schemas declares. An object
 * whose schema sets `additionalProperties` may have any field.
 *
 * @param schemas The schemas that apply to the value together.
 */
function* unknownFields(
  contract: Node,
  value: unknown,
  schemas: readonly unknown[],
  at: string,
): Generator<Fault> {
  const parts = schemas.flatMap((schema) => listParts(contract, schema))
  if (Array.isArray(value)) {
    const itemSchemas = parts.map(({ items }) => items).filter((items) => items !== undefined)
    for (const [index, item] of value.entries())
      yield* unknownFields(contract, item, itemSchemas, pointerBelow(at, index))
  } else if (isNode(value)) {
    yield* unknownFieldsOfObject(contract, value, parts, at)
  }
}

/**
 * Reports fields of an object that none of its schemas declares, and those of the objects in it.
 *
 * @param parts The schemas that apply to the object together, with what they refer to.
 */
function* unknownFieldsOfObject(
  contract: Node,
  value: Node,
  parts: readonly Node[],
  at: string,
): Generator<Fault> {
  const isOpen = parts.some((part) => 'additionalProperties' in part)
  const schemasByName = groupProperties(parts)
  // Without `properties`, a schema says nothing of the fields.
  if (isOpen || schemasByName.size === 0) return

  for (const [name, child] of Object.entries(value)) {
    const place = pointerBelow(at, name)
    const childSchemas = schemasByName.get(name)
    if (childSchemas) {
      yield* unknownFields(contract, child, childSchemas, place)
      continue
    }

    const lacking = [...schemasByName.keys()].filter((declared) => !(declared in value))
    const next = didYouMean(name, lacking, '; remove it, or add it to the schema.')
    yield { message: `The schema of the example has no field "${name}"${next}`, at: place }
  }
}

/**
 * The properties that the schemas declare, each with its schemas: several of the branches of a choice
 * may declare the same name.
 */
function groupProperties(schemas: readonly Node[]): Map<string, unknown[]> {
  const schemasByName = new Map<string, unknown[]>()
  for (const { properties } of schemas) {
    for (const [name, property] of listEntries(properties)) {
      const earlier = schemasByName.get(name) ?? []
      schemasByName.set(name, [...earlier, property])
    }
  }
  return schemasByName
}

/** A schema, what it refers to, and every schema that it combines. */
function listParts(contract: Node, schema: unknown): Node[] {
  const chain = [...followChain(contract, schema)]
  const combined = chain.flatMap(({ allOf, oneOf, anyOf }) =>
    [allOf, oneOf, anyOf].filter(Array.isArray).flat(),
  )
  return [...chain, ...combined.flatMap((part) => listParts(contract, part))]
}

/**
 * The errors without those of single branches of an `anyOf` or `oneOf`: where no branch fits, ajv
 * reports why each does not, and that none does, which is enough.
 */
function withoutBranchErrors(errors: readonly ErrorObject[]): ErrorObject[] {
  const choices = errors.filter(isChoice)
  return errors.filter((error) => {
    if (isChoice(error)) return true

    const at = `${error.instancePath}/`
    const isInChoice = choices.some((choice) => at.startsWith(`${choice.instancePath}/`))
    return !isInChoice
  })
}

function isChoice({ keyword }: ErrorObject): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf'
}

/**
 * The message about an example or a default that does not conform to its schema, from an error of
 * ajv.
 */
function describeError(error: ErrorObject, kind: Example['kind']): string {
  const { keyword, schema, params, data } = error
  if (keyword === 'required')
    return `The ${kind} lacks the field "${params.missingProperty}"; add it.`

  const isScalar = typeof data !== 'object' || data === null
  const got = isScalar ? JSON.stringify(data) : typeOf(data)
  if (isChoice(error))
    return `The ${kind} must match a schema of "${keyword}", got ${got}; correct it, or the schema.`

  const values = keyword === 'enum' ? (schema as unknown[]).map(String) : []
  const next = didYouMean(String(data), values, '; correct it, or the schema.')
  return `The ${kind} must be ${expected(keyword, schema)}, got ${got}${next}`
}
