import { valueAt } from '@partner-payments/contract'
import { expectedOperation } from '../facts.ts'
import { isNode, type Node } from '../marks.ts'
import { followReferences, listOperations, type Operation, pointerBelow } from '../operations.ts'
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
    const allDifferences = differences(expectedOperation(facts.value, fact), stated)
    for (const difference of joinRenamed(allDifferences))
      yield {
        message: `${operation.id}: ${describeDifference(difference)}`,
        at: pointerOfDifference(contract, operation, difference, pointers),
      }
  }
  yield* eventFaults(contract)
}

/** The document shows no event. */
function* eventFaults(contract: Node): Iterable<Fault> {
  for (const delivery of listOperations(contract, 'webhooks')) {
    if (isAssumedOperation(delivery)) continue
    const message = `facts.yaml has no event, such as ${delivery.id}; mark it with its open question.`
    yield { message, at: pointerBelow('/webhooks', delivery.template) }
  }
}

/**
 * The unmarked part of an operation, and the pointers of its nodes in the contract. Kept by
 * operation, since the facts may change while the contract does not.
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
  readonly parent?: object
  /** Of a name that facts.yaml does not have: the other name that is probably meant. */
  readonly meant?: string
}

/**
 * Every difference between what the facts expect and what the contract states, at the deepest
 * level.
 *
 * @param path The keys that led to the two values.
 * @param parent The node of the contract that has the last of these keys.
 */
function differences(
  fact: unknown,
  stated: unknown,
  path: readonly string[] = [],
  parent?: object,
): Difference[] {
  if (isNode(fact) && isNode(stated)) {
    if (path.length === 0) return operationDifferences(fact, stated)
    const names = Object.keys({ ...fact, ...stated })
    return names.flatMap((name) => {
      const isListOfRequired = name === 'required' && isNode(fact.properties)
      if (isListOfRequired) return requiredDifferences(fact, stated, path)
      return differences(fact[name], stated[name], [...path, name], stated)
    })
  }

  if (Array.isArray(fact) && Array.isArray(stated) && fact.length === stated.length) {
    return fact.flatMap((item, index) =>
      differences(item, stated[index], [...path, String(index)], parent),
    )
  }

  if (JSON.stringify(fact) === JSON.stringify(stated)) return []
  return [{ path, fact, stated, ...(parent && { parent }) }]
}

/**
 * The differences of an operation. If both sides have one response, with different statuses, that
 * is one difference of the status: not one response that lacks, and one that is too many.
 */
function operationDifferences(fact: Node, stated: Node): Difference[] {
  const names = Object.keys({ ...fact, ...stated })
  const compare = (name: string) => differences(fact[name], stated[name], [name], stated)

  const isResponse = (name: string) => name.startsWith('response ')
  const [from, ...otherMissing] = names.filter((name) => isResponse(name) && !(name in stated))
  const [to, ...otherAdded] = names.filter((name) => isResponse(name) && !(name in fact))
  const areOnly = otherMissing.length + otherAdded.length === 0
  if (!from || !to || !areOnly) return names.flatMap(compare)

  const status: Difference = {
    path: ['status', statusOf(to)],
    fact: statusOf(from),
    stated: statusOf(to),
    parent: stated,
  }
  const others = names.filter((name) => !isResponse(name))
  return [status, ...others.flatMap(compare)]
}

/**
 * The difference between the lists of required fields, as a list; empty if there is none. Of fields
 * that only one side has, the difference is reported elsewhere.
 */
function requiredDifferences(fact: Node, stated: Node, path: readonly string[]): Difference[] {
  const inFact = requiredNames(fact, stated)
  const inStated = requiredNames(stated, fact)
  const lacking = inFact.filter((name, index) => {
    // A field of facts.yaml that stands there twice is a mistake, too.
    const isRepeated = inFact.indexOf(name) !== index
    return isRepeated || !inStated.includes(name)
  })
  const added = inStated.filter((name) => !inFact.includes(name))
  if (lacking.length + added.length === 0) return []
  return [{ path: [...path, 'required'], fact: lacking, stated: added, parent: stated }]
}

/** The required names of one side. A field that the other lacks is a difference of its own. */
function requiredNames(side: Node, other: Node): string[] {
  const names = Array.isArray(side.required) ? side.required.map(String) : []
  const hasProperty = ({ properties }: Node, name: string) =>
    isNode(properties) && name in properties
  return names.filter((name) => !hasProperty(side, name) || hasProperty(other, name))
}

/**
 * Joins two differences in one object: a name that facts.yaml does not have, and a name of
 * facts.yaml that the contract lacks. They are probably one field or parameter that was renamed.
 */
function joinRenamed(allDifferences: readonly Difference[]): Difference[] {
  const missingByHolder = new Map<string, Difference>()
  for (const difference of allDifferences) {
    const isMissing = isNamed(difference) && difference.stated === undefined
    if (isMissing) missingByHolder.set(pathOfHolder(difference), difference)
  }

  const joined = new Set<Difference>()
  const result: Difference[] = []
  for (const difference of allDifferences) {
    const missing = missingByHolder.get(pathOfHolder(difference))
    const isAdded = isNamed(difference) && difference.fact === undefined
    if (!isAdded || !missing || joined.has(missing)) {
      result.push(difference)
      continue
    }
    joined.add(missing)
    result.push({ ...difference, meant: missing.path.at(-1) ?? '' })
  }
  return result.filter((difference) => !joined.has(difference))
}

/** Whether the last step is the name of a field or of a parameter. */
function isNamed({ path }: Difference): boolean {
  const isParameter = path[0] === 'parameters' && path.length === 2
  return path.at(-2) === 'properties' || isParameter
}

/** The path of the object that has the last key, as one string. */
function pathOfHolder({ path }: Difference): string {
  return path.slice(0, -1).join('\n')
}

function statusOf(name: string): string {
  return name.replace('response ', '')
}

const ADD_IT = 'add it there if the document states it, or mark it with its open question.'

/**
 * The message about a difference between facts.yaml and the contract, with what to do. `meant` is
 * the name that is probably meant instead of one that facts.yaml does not have.
 */
function describeDifference({ path, fact, stated, meant }: Difference): string {
  const keyword = path.at(-1) ?? ''
  const { body, field } = locateField(path)
  if (path[0] === 'status')
    return `facts.yaml has the status ${fact}, got ${stated}; write ${fact}, or mark "status" with its open question.`

  if (keyword === 'required') return requiredSentence(fact, stated, body, field)

  if (path[0] === 'parameters' && path.length === 2) {
    const [place = '', name = ''] = keyword.split(' ')
    const lack = `facts.yaml has no parameter "${name}"`
    if (meant) return `${lack}: did you mean ${meant.replace(`${place} `, '')}?`
    if (fact === undefined) return `${lack}; ${ADD_IT}`
    return `the operation lacks the ${place} parameter "${name}" of facts.yaml; add it without a mark.`
  }

  if (path.at(-2) === 'properties') {
    if (meant) return `facts.yaml has no field ${field} in ${body}: did you mean ${meant}?`
    if (fact === undefined) return `facts.yaml has no field ${field} in ${body}; ${ADD_IT}`
    return `${body} lacks the field ${field} of facts.yaml; add it without a mark.`
  }

  const where = field ? `"${keyword}" of ${field} in ${body}` : `"${keyword}" of ${body}`
  if (fact === undefined)
    return `${where} is not in facts.yaml, got ${printValue(stated)}; mark "${keyword}" with its open question, or, if the document states it, give the field such a value there.`
  if (stated === undefined)
    return `${where} must be ${printValue(fact)} by facts.yaml; add it without a mark.`
  return `${where} must be ${printValue(fact)} by facts.yaml, got ${printValue(stated)}; correct it, or mark it.`
}

/** The message about names that only one side requires. */
function requiredSentence(fact: unknown, stated: unknown, body: string, field: string): string {
  const lacking = [fact].flat().join(', ')
  const added = [stated].flat().join(', ')
  const where = field ? `${field} in ${body}` : body
  if (lacking) return `"required" of ${where} must list ${lacking} by facts.yaml; add it.`
  return `"required" of ${where} lists ${added}, which facts.yaml does not require; mark "required" with its open question.`
}

/**
 * Where a path leads, for a message: `['body', …, 'properties', 'amount']` gives
 * `{ body: 'the request', field: '/amount' }`.
 */
function locateField(path: readonly string[]): { readonly body: string; readonly field: string } {
  const [first = ''] = path
  let field = ''
  for (const [index, step] of path.entries()) {
    const isFieldName = path[index - 1] === 'properties'
    if (isFieldName) field += `/${step}`
    else if (step === 'items') field += '/0'
  }
  if (first === 'body') return { body: 'the request', field }
  if (first.startsWith('response ')) return { body: `the ${first}`.replace(' ?', ''), field }
  if (first === 'parameters' && path.length > 2) return { body: `the parameter ${path[1]}`, field }
  return { body: 'the operation', field }
}

function printValue(value: unknown): string {
  return isNode(value) ? 'an object' : JSON.stringify(value)
}

/**
 * The pointer in the contract at which a difference is reported: of what is too many or differs, or
 * of the node that lacks something.
 */
function pointerOfDifference(
  contract: Node,
  operation: Operation,
  { path, parent }: Difference,
  pointers: Pointers,
): string {
  const step = path.at(-1) ?? ''
  if (path[0] === 'status') return pointerBelow(operation.at, 'responses', step)
  const isParameter = path[0] === 'parameters' && path.length === 2
  if (isParameter) return parameterPlace(contract, operation, step)
  if (step.startsWith('response ')) return pointerBelow(operation.at, 'responses', statusOf(step))

  const parentPointer = parent && pointers.get(parent)
  return parentPointer === undefined ? operation.at : keywordPlace(contract, parentPointer, step)
}

/** The pointer of the name of a parameter, such as `query status`; the operation if it has none. */
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

/** The pointer of a keyword at a node, or at what the node refers to. */
function keywordPlace(contract: Node, at: string, keyword: string): string {
  const node = valueAt(contract, at)
  if (!isNode(node)) return at
  if (keyword in node) return pointerBelow(at, keyword)
  if (typeof node.$ref === 'string') return keywordPlace(contract, node.$ref.slice(1), keyword)
  return at
}
