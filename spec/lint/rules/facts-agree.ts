import { fieldsOf, valueAt } from '@partner-payments/contract'
import { expectedOperation } from '../facts.ts'
import { isNode, type Node } from '../marks.ts'
import {
  followReferences,
  listOperations,
  type Operation,
  pointerBelow,
  pointerOfReference,
} from '../operations.ts'
import type { Fault, Rule } from '../rule.ts'
import { isAssumedOperation, type Pointers, statedOperation } from '../stated.ts'

/**
 * Reports where the part of the contract that has no marks differs from facts.yaml: a fact is
 * missing, or an addition does not name its open question. Texts are not compared; a test snapshot
 * shows reviewers every unmarked sentence.
 */
export const factsAgree: Rule = function* ({ contract, root, facts }) {
  const operations = root === 'guide' ? facts.value.guide : facts.value.operations
  for (const operation of listOperations(contract)) {
    const fact = operations[operation.id]
    // The rule operation-list reports an operation that is no fact.
    if (!fact) continue

    const { stated, pointers } = readStated(contract, operation)
    const differences = operationDifferences(expectedOperation(facts.value, fact), stated)
    for (const difference of joinRenamed(differences)) {
      const message = `${operation.id}: ${describeDifference(difference)}`
      yield { message, at: pointerOfDifference(contract, operation, difference, pointers) }
    }
  }
  yield* eventFaults(contract)
}

/** Reports events without a mark: the document shows none, so each event is an assumption. */
function* eventFaults(contract: Node): Iterable<Fault> {
  for (const delivery of listOperations(contract, 'webhooks')) {
    if (isAssumedOperation(delivery)) continue
    const message = `facts.yaml has no event, such as ${delivery.id}; mark it with its open question.`
    yield { message, at: pointerBelow('/webhooks', delivery.template) }
  }
}

/**
 * What the contract states of an operation as a fact, that is without what a mark makes an
 * assumption, and the pointers of its nodes. Computed once per operation: the next check may be of
 * other facts with the same contract.
 */
function readStated(contract: Node, operation: Operation) {
  const keptStated = lastStated.get(operation.operation)
  if (keptStated) return keptStated
  const pointers: Pointers = new WeakMap()
  const result = { stated: statedOperation(contract, operation, pointers), pointers }
  lastStated.set(operation.operation, result)
  return result
}

const lastStated = new WeakMap<object, { readonly stated: Node; readonly pointers: Pointers }>()

/** A difference between what the facts expect of an operation and what the contract states. */
interface Difference {
  /** The keys that lead to it, such as `body`, `content`, … */
  readonly path: readonly string[]
  /** The value of each side; undefined if that side has none. */
  readonly fact: unknown
  readonly stated: unknown
  /** The node of the contract that has, or lacks, the last key of the path. */
  readonly parent: Node
  /** Of a name that facts.yaml does not have: the other name that is probably meant. */
  readonly meant?: string
}

/**
 * Every difference between what facts.yaml says of an operation (`fact`) and what the contract states
 * of it (`stated`), at the deepest level. Both have the form `{ security, parameters, body,
 * 'response 200': … }`.
 */
function operationDifferences(fact: Node, stated: Node): Difference[] {
  const names = Object.keys({ ...fact, ...stated })
  const status = statusDifference(fact, stated)
  // Of two responses with different statuses, the rest is not compared.
  const comparedNames = status ? names.filter((name) => !isResponse(name)) : names
  const others = comparedNames.flatMap((name) =>
    valueDifferences(fact[name], stated[name], [name], stated),
  )
  return status ? [status, ...others] : others
}

/**
 * The difference of the status, if each side has one response that the other lacks, such as
 * `response 200` and `response 201`: that is another status, and not one response too few and one too
 * many. Undefined if the statuses agree, or differ in another way.
 */
function statusDifference(fact: Node, stated: Node): Difference | undefined {
  const lacking = Object.keys(fact).filter((name) => isResponse(name) && !(name in stated))
  const added = Object.keys(stated).filter((name) => isResponse(name) && !(name in fact))
  const [factName, ...otherLacking] = lacking
  const [statedName, ...otherAdded] = added
  if (factName === undefined || statedName === undefined) return undefined

  const hasSeveral = otherLacking.length > 0 || otherAdded.length > 0
  if (hasSeveral) return undefined
  return {
    path: ['status', statusOf(statedName)],
    fact: statusOf(factName),
    stated: statusOf(statedName),
    parent: stated,
  }
}

function isResponse(name: string): boolean {
  return name.startsWith('response ')
}

/**
 * The differences of two values, at the deepest level.
 *
 * @param path The keys that led to the two values.
 * @param parent The node of the contract that has the last of these keys.
 */
function valueDifferences(
  fact: unknown,
  stated: unknown,
  path: readonly string[],
  parent: Node,
): Difference[] {
  if (isNode(fact) && isNode(stated)) return nodeDifferences(fact, stated, path)

  const areComparableLists =
    Array.isArray(fact) && Array.isArray(stated) && fact.length === stated.length
  if (areComparableLists)
    return fact.flatMap((item, index) =>
      valueDifferences(item, stated[index], [...path, String(index)], parent),
    )

  const isSame = JSON.stringify(fact) === JSON.stringify(stated)
  return isSame ? [] : [{ path, fact, stated, parent }]
}

/** The differences of two objects, key by key. */
function nodeDifferences(fact: Node, stated: Node, path: readonly string[]): Difference[] {
  const names = Object.keys({ ...fact, ...stated })
  return names.flatMap((name) => {
    const isListOfRequired = name === 'required' && isNode(fact.properties)
    if (isListOfRequired) return requiredDifferences(fact, stated, path)
    return valueDifferences(fact[name], stated[name], [...path, name], stated)
  })
}

/**
 * The difference between the lists of required fields, as a list of one; empty if there is none. Its
 * `fact` has the names that only facts.yaml requires, its `stated` those that only the contract
 * does. A field that one side lacks is reported elsewhere.
 */
function requiredDifferences(fact: Node, stated: Node, path: readonly string[]): Difference[] {
  const inFact = requiredNames(fact, stated)
  const inStated = requiredNames(stated, fact)
  const lacking = inFact.filter((name, index) => {
    // A name that facts.yaml has twice is a mistake too, which is reported as if the contract lacked it.
    const isRepeated = inFact.indexOf(name) !== index
    return isRepeated || !inStated.includes(name)
  })
  const added = inStated.filter((name) => !inFact.includes(name))
  if (lacking.length === 0 && added.length === 0) return []
  return [{ path: [...path, 'required'], fact: lacking, stated: added, parent: stated }]
}

/** The required names of one side. A field that the other lacks is a difference of its own. */
function requiredNames(side: Node, other: Node): string[] {
  const names = Array.isArray(side.required) ? side.required.map(String) : []
  const properties = fieldsOf(side.properties)
  const otherProperties = fieldsOf(other.properties)
  const isLackedByOther = (name: string) => name in properties && !(name in otherProperties)
  return names.filter((name) => !isLackedByOther(name))
}

/**
 * Joins two differences that probably are one field with a wrong name: an object of the contract has
 * an additional `amounts`, and lacks `amount`. The joined difference has the right name in `meant`.
 */
function joinRenamed(differences: readonly Difference[]): Difference[] {
  const named = differences.filter(isNamed)
  const added = named.filter(({ fact }) => fact === undefined)
  const missing = named.filter(({ stated }) => stated === undefined)
  const missingByAdded = pairInSameObject(added, missing)

  const joined = new Set(missingByAdded.values())
  const remaining = differences.filter((difference) => !joined.has(difference))
  return remaining.map((difference) => {
    const meant = missingByAdded.get(difference)
    return meant ? { ...difference, meant: lastKey(meant) } : difference
  })
}

/**
 * For each added name a missing one of the same object, if there is one. Each missing name is used
 * once.
 */
function pairInSameObject(
  added: readonly Difference[],
  missing: readonly Difference[],
): Map<Difference, Difference> {
  const missingByHolder = new Map(
    missing.map((difference) => [pathOfHolder(difference), difference]),
  )
  const pairs = new Map<Difference, Difference>()
  for (const difference of added) {
    const holder = pathOfHolder(difference)
    const missingHere = missingByHolder.get(holder)
    if (!missingHere) continue
    pairs.set(difference, missingHere)
    missingByHolder.delete(holder)
  }
  return pairs
}

function lastKey({ path }: Difference): string {
  return path.at(-1) ?? ''
}

/** Whether the last step is the name of a field or of a parameter. */
function isNamed(difference: Difference): boolean {
  return isField(difference) || isParameter(difference)
}

function isField({ path }: Difference): boolean {
  return path.at(-2) === 'properties'
}

function isParameter({ path }: Difference): boolean {
  return path[0] === 'parameters' && path.length === 2
}

/** The path of the object that has the last key, as one string. */
function pathOfHolder({ path }: Difference): string {
  return path.slice(0, -1).join('\n')
}

function statusOf(name: string): string {
  return name.replace('response ', '')
}

const ADD_IT = 'add it there if the document states it, or mark it with its open question.'

/** The message about a difference between facts.yaml and the contract, with what to do. */
function describeDifference(difference: Difference): string {
  const { path, fact, stated } = difference
  if (path[0] === 'status')
    return `facts.yaml has the status ${fact}, got ${stated}; write ${fact}, or mark "status" with its open question.`
  if (lastKey(difference) === 'required') return requiredSentence(difference)
  if (isParameter(difference)) return parameterSentence(difference)
  if (isField(difference)) return fieldSentence(difference)
  return keywordSentence(difference)
}

/** The message about names that only one side requires. */
function requiredSentence({ path, fact, stated }: Difference): string {
  const lacking = [fact].flat().join(', ')
  const added = [stated].flat().join(', ')
  const { body, field } = locateField(path)
  const where = field ? `${field} in ${body}` : body
  if (lacking) return `"required" of ${where} must list ${lacking} by facts.yaml; add it.`
  return `"required" of ${where} lists ${added}, which facts.yaml does not require; mark "required" with its open question.`
}

/** The message about a parameter that only one side has. */
function parameterSentence(difference: Difference): string {
  const [place = '', name = ''] = lastKey(difference).split(' ')
  const { fact, meant } = difference
  const lack = `facts.yaml has no parameter "${name}"`
  if (meant) return `${lack}: did you mean ${meant.replace(`${place} `, '')}?`
  if (fact === undefined) return `${lack}; ${ADD_IT}`
  return `the operation lacks the ${place} parameter "${name}" of facts.yaml; add it without a mark.`
}

/** The message about a field that only one side has. */
function fieldSentence({ path, fact, meant }: Difference): string {
  const { body, field } = locateField(path)
  const lack = `facts.yaml has no field ${field} in ${body}`
  if (meant) return `${lack}: did you mean ${meant}?`
  if (fact === undefined) return `${lack}; ${ADD_IT}`
  return `${body} lacks the field ${field} of facts.yaml; add it without a mark.`
}

/**
 * The message about a keyword such as `type` that has another value in facts.yaml than in the
 * contract, or that only one of them has.
 */
function keywordSentence(difference: Difference): string {
  const { path, fact, stated } = difference
  const keyword = lastKey(difference)
  const { body, field } = locateField(path)
  const where = field ? `"${keyword}" of ${field} in ${body}` : `"${keyword}" of ${body}`
  if (fact === undefined)
    return `${where} is not in facts.yaml, got ${printValue(stated)}; mark "${keyword}" with its open question, or, if the document states it, give the field such a value there.`
  if (stated === undefined)
    return `${where} must be ${printValue(fact)} by facts.yaml; add it without a mark.`
  return `${where} must be ${printValue(fact)} by facts.yaml, got ${printValue(stated)}; correct it, or mark it.`
}

/**
 * Where a path leads, for a message: `['body', …, 'properties', 'amount']` gives
 * `{ body: 'the request', field: '/amount' }`.
 */
function locateField(path: readonly string[]): { readonly body: string; readonly field: string } {
  let field = ''
  for (const [index, step] of path.entries()) {
    const isFieldName = path[index - 1] === 'properties'
    if (isFieldName) field += `/${step}`
    else if (step === 'items') field += '/0'
  }
  return { body: describeBody(path), field }
}

/** The part of an operation in which a path begins, in words: `the request`, `the response 200`. */
function describeBody([first = '', second]: readonly string[]): string {
  if (first === 'body') return 'the request'
  if (isResponse(first)) return `the ${first}`.replace(' ?', '')
  if (first === 'parameters' && second !== undefined) return `the parameter ${second}`
  return 'the operation'
}

function printValue(value: unknown): string {
  return isNode(value) ? 'an object' : JSON.stringify(value)
}

/**
 * The pointer in the contract at which a difference is reported: that of a status, parameter or
 * keyword that the contract has, or that of the node that lacks something.
 */
function pointerOfDifference(
  contract: Node,
  operation: Operation,
  difference: Difference,
  pointers: Pointers,
): string {
  // The status for a difference of the status, such as `200`.
  const key = lastKey(difference)
  if (difference.path[0] === 'status') return pointerBelow(operation.at, 'responses', key)
  // Such as `query status`.
  if (isParameter(difference)) return parameterPlace(contract, operation, key)
  // Such as `response 200`.
  if (isResponse(key)) return pointerBelow(operation.at, 'responses', statusOf(key))

  // A keyword such as `type`, or the name of a field.
  const parentPointer = pointers.get(difference.parent)
  return parentPointer === undefined ? operation.at : keywordPlace(contract, parentPointer, key)
}

/**
 * Where the contract has the name of a parameter (given as `query status`), also behind a `$ref`; the
 * pointer of the operation's id if it has no such parameter.
 */
function parameterPlace(contract: Node, { operation, at }: Operation, parameter: string): string {
  const parameters = Array.isArray(operation.parameters) ? operation.parameters : []
  for (const index of parameters.keys()) {
    const place = pointerBelow(at, 'parameters', index)
    const declared = followReferences(contract, parameters[index], place)
    if (`${declared.node.in} ${declared.node.name}` === parameter)
      return pointerBelow(declared.at, 'name')
  }
  return pointerBelow(at, 'operationId')
}

/**
 * The pointer of a keyword of a node. If the node has it only by its `$ref`, it is the pointer at the
 * target; if it does not have it at all, that of the node.
 */
function keywordPlace(contract: Node, at: string, keyword: string): string {
  const node = valueAt(contract, at)
  if (!isNode(node)) return at
  if (keyword in node) return pointerBelow(at, keyword)
  if (typeof node.$ref !== 'string') return at
  return keywordPlace(contract, pointerOfReference(node.$ref), keyword)
}
