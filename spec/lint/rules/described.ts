import { fieldsOf, valueAt } from '@partner-payments/contract'
import {
  ASSUMED,
  ENUM_DESCRIPTIONS,
  ENUM_FROM,
  isNode,
  listSentences,
  type Node,
  readMeanings,
} from '../marks.ts'
import {
  followChain,
  followReferences,
  listEntries,
  pointerBelow,
  reachableNodes,
} from '../operations.ts'
import type { Fault, Rule } from '../rule.ts'
import { didYouMean } from '../suggest.ts'

/** Reports operations, parameters, headers, properties and enum values without a description. */
export const described: Rule = function* ({ contract, behaviour }) {
  for (const { node, at } of reachableNodes(contract, contract, '')) {
    for (const subject of listSubjects(node, at)) yield* missingDescription(contract, subject)

    if (isOperation(node)) yield* missingTokenSentence(contract, node, at, behaviour.entries)

    for (const { message, step } of enumErrors(node, behaviour.entries))
      yield { message, at: `${at}${step}` }
  }
}

/** What must have a description. */
interface Subject {
  readonly node: unknown
  readonly at: string
  /** What it is, for the message, such as `Property amount`. */
  readonly name: string
}

/**
 * What must have a description of a node: the node if it is an operation or a parameter, its headers
 * and its properties.
 */
function* listSubjects(node: Node, at: string): Generator<Subject> {
  if (isOperation(node)) yield { node, at, name: `Operation ${node.operationId}` }

  const isParameter = 'in' in node && 'schema' in node
  if (isParameter) yield { node, at, name: `Parameter ${node.name}` }

  for (const [name, header] of listEntries(node.headers)) {
    // A component is visited by itself.
    const isWrittenHere = isNode(header) && !('$ref' in header)
    if (!isWrittenHere) continue
    yield { node: header, at: pointerBelow(at, 'headers', name), name: 'A header' }
  }

  for (const [name, property] of listEntries(node.properties))
    yield { node: property, at: pointerBelow(at, 'properties', name), name: `Property ${name}` }
}

function isOperation(node: Node): boolean {
  return 'operationId' in node && 'responses' in node
}

/** Reports a node that has no description, and refers to nothing that has one. */
function* missingDescription(contract: Node, { node, at, name }: Subject): Iterable<Fault> {
  for (const part of followChain(contract, node)) if (hasSentence(part)) return

  // A node that is a reference alone has the description of its target.
  const isReference = isNode(node) && Object.keys(node).join() === '$ref'
  const place = isReference ? followReferences(contract, node, at).at : at
  yield { message: `${name} must have a description; add it.`, at: place }
}

function hasSentence(node: Node): boolean {
  const { stated, assumed, observed } = listSentences(node)
  return stated.length > 0 || assumed.length > 0 || observed.length > 0
}

/**
 * Reports an operation that does not say whose token it takes: a partner's alone, or a customer's too.
 * `permissions` of spec/behaviour lists the operations that take only a partner's, by an assumption.
 * So the sentence stands in `x-assumed`, below the open question of the permission.
 */
function* missingTokenSentence(
  contract: Node,
  operation: Node,
  at: string,
  behaviour: Node,
): Iterable<Fault> {
  const security = operation.security ?? contract.security
  const takesToken = Array.isArray(security) && security.some((scheme) => 'bearer' in scheme)
  if (!takesToken) return

  const id = operation.operationId
  const assumed = fieldsOf(operation[ASSUMED])
  for (const permission of Object.values(fieldsOf(behaviour.permissions))) {
    const { question, operations } = fieldsOf(permission)
    if (typeof question !== 'string') continue
    const isSaid = question in assumed
    if (isSaid) continue

    const needsPermission = Array.isArray(operations) && operations.includes(id)
    const sentence = needsPermission ? PARTNERS_ONLY : BOTH_KINDS
    const message = `Operation ${id} must say whose token it takes; add "${question}: ${sentence}" to its "${ASSUMED}".`
    yield { message, at: pointerBelow(at, 'operationId') }
  }
}

const PARTNERS_ONLY = 'Needs a token of the partner.'
const BOTH_KINDS = 'Takes a token of the partner or an impersonated one.'

interface EnumError {
  readonly message: string
  /** The pointer below the schema. */
  readonly step: string
}

/**
 * Reports values of an enum without a description, descriptions without a value, and a pointer
 * (`x-enum-from`) to no entry of spec/behaviour.
 */
function enumErrors(schema: Node, behaviour: Node): EnumError[] {
  if (!Array.isArray(schema.enum)) return []
  const values = schema.enum.map(String)
  const from = schema[ENUM_FROM]
  if (from !== undefined && schema[ENUM_DESCRIPTIONS] !== undefined) {
    const message = `"${ENUM_FROM}" describes the values already; remove "${ENUM_DESCRIPTIONS}".`
    return [{ message, step: `/${ENUM_DESCRIPTIONS}` }]
  }
  if (typeof from === 'string' && valueAt(behaviour, from) === undefined) {
    const next = didYouMean(from, entryPlaces(behaviour), '; correct the pointer.')
    return [{ message: `spec/behaviour has no ${from}${next}`, step: `/${ENUM_FROM}` }]
  }

  const meanings = readMeanings(schema, behaviour)
  const unknownErrors = unknownValueErrors(values, meanings)
  // If a value is misspelt, the one that it means seems to have no description.
  if (unknownErrors.length > 0) return unknownErrors

  const place = typeof from === 'string' ? `spec/behaviour, ${from}` : `"${ENUM_DESCRIPTIONS}"`
  return missingMeaningErrors(values, meanings, place)
}

/** The errors of described values that the enum does not have. */
function unknownValueErrors(values: readonly string[], meanings: Node): EnumError[] {
  const unknown = Object.keys(meanings).filter((value) => !values.includes(value))
  return unknown.map((value) => {
    const next = didYouMean(value, values, '; remove it.')
    const message = `"${ENUM_DESCRIPTIONS}" describes "${value}", which is not a value of the enum${next}`
    return { message, step: pointerBelow(`/${ENUM_DESCRIPTIONS}`, value) }
  })
}

/**
 * The errors of values of an enum without a description.
 *
 * @param meanings The descriptions by value.
 * @param place Where a description would stand, for the message.
 */
function missingMeaningErrors(
  values: readonly string[],
  meanings: Node,
  place: string,
): EnumError[] {
  const errors: EnumError[] = []
  for (const [index, value] of values.entries()) {
    if (meanings[value]) continue
    const message = `The value "${value}" must have a description; add it to ${place}.`
    errors.push({ message, step: pointerBelow('/enum', index) })
  }
  return errors
}

/** Where the entries are that describe values: refusals, and the states of each resource. */
function entryPlaces({ resources }: Node): string[] {
  const names = listEntries(resources).map(([name]) => pointerBelow('/resources', name, 'states'))
  return ['/refusals', ...names]
}
