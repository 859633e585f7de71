import { valueAt } from '@partner-payments/contract'
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
    const isOperation = 'operationId' in node && 'responses' in node
    if (isOperation) {
      yield* missingDescription(contract, node, at, `Operation ${node.operationId}`)
      yield* missingTokenSentence(contract, node, at, behaviour.entries)
    }

    const isParameter = 'in' in node && 'schema' in node
    if (isParameter) yield* missingDescription(contract, node, at, `Parameter ${node.name}`)

    for (const [name, header] of listEntries(node.headers)) {
      // A component is visited by itself.
      const isWrittenHere = isNode(header) && !('$ref' in header)
      if (isWrittenHere)
        yield* missingDescription(contract, header, pointerBelow(at, 'headers', name), 'A header')
    }

    for (const [name, property] of listEntries(node.properties))
      yield* missingDescription(
        contract,
        property,
        pointerBelow(at, 'properties', name),
        `Property ${name}`,
      )

    for (const { message, step } of enumErrors(node, behaviour.entries))
      yield { message, at: `${at}${step}` }
  }
}

/**
 * The fault of a node that has no description, and refers to nothing that has one; none otherwise.
 *
 * @param subject What the node is, for the message, such as `Property amount`.
 */
function* missingDescription(
  contract: Node,
  node: unknown,
  at: string,
  subject: string,
): Iterable<Fault> {
  const sentences = [...followChain(contract, node)].map((part) => listSentences(part))
  // Observed sentences count as assumed here: without the register, listSentences cannot tell.
  const isDescribed = sentences.some(({ stated, assumed }) => stated.length + assumed.length > 0)
  if (isDescribed) return
  // A node that is a reference alone has the description of its target.
  const isReference = isNode(node) && Object.keys(node).join() === '$ref'
  const place = isReference ? followReferences(contract, node, at).at : at
  yield { message: `${subject} must have a description; add it.`, at: place }
}

/**
 * The fault of an operation that does not say whose token it takes, a partner's or a customer's;
 * none otherwise. The sentence stands below the question of the permission in `x-assumed`, since it
 * is an assumption.
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

  for (const [, permission] of listEntries(behaviour.permissions)) {
    if (!isNode(permission) || typeof permission.question !== 'string') continue
    const assumed = operation[ASSUMED]
    const saysWhose = isNode(assumed) && permission.question in assumed
    if (saysWhose) continue

    const { operations } = permission
    const isListed = Array.isArray(operations) && operations.includes(operation.operationId)
    const sentence = isListed ? PARTNERS_ONLY : BOTH_KINDS
    yield {
      message: `Operation ${operation.operationId} must say whose token it takes; add "${permission.question}: ${sentence}" to its "${ASSUMED}".`,
      at: pointerBelow(at, 'operationId'),
    }
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
    const message = `spec/behaviour has no ${from}${next}`
    return [{ message, step: `/${ENUM_FROM}` }]
  }

  const meanings = readMeanings(schema, behaviour)
  const undeclaredValues = Object.keys(meanings).filter((value) => !values.includes(value))
  const errors: EnumError[] = []
  for (const value of undeclaredValues) {
    const next = didYouMean(value, values, '; remove it.')
    const message = `"${ENUM_DESCRIPTIONS}" describes "${value}", which is not a value of the enum${next}`
    errors.push({ message, step: pointerBelow(`/${ENUM_DESCRIPTIONS}`, value) })
  }

  // If a value is misspelt, the one that it means seems to have no description.
  if (undeclaredValues.length > 0) return errors
  for (const [index, value] of values.entries()) {
    if (meanings[value]) continue
    const place = typeof from === 'string' ? `spec/behaviour, ${from}` : `"${ENUM_DESCRIPTIONS}"`
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
