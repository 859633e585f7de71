import { stepsOf } from '@partner-payments/contract'
import { isNode, type Node } from '../marks.ts'
import { ALIAS_OF, type Operation, operationsOf } from '../operations.ts'
import type { Rule, RuleInput } from '../rule.ts'
import { statedBody } from '../stated.ts'

/** On an operation: JSON pointers of the fields without which a response is no success. */
const ESSENTIAL = 'x-essential'

/**
 * An operation must list its essential fields if the document shows the body of its success, and
 * must not if the document says "not shown". Each one must be a required field that the document
 * shows: a client must not call a payment unknown because of an assumption.
 */
export const essentialFields: Rule = function* (input) {
  for (const operation of operationsOf(input.contract)) {
    const body = shownBody(input, operation)
    for (const message of faultsOf(operation.operation[ESSENTIAL], body)) {
      yield { message, at: operation.at }
    }
  }
}

function* faultsOf(pointers: unknown, body: Node | undefined): Generator<string> {
  if (!body) {
    if (pointers !== undefined) {
      yield `The document does not show the body of the success: remove "${ESSENTIAL}".`
    }
    return
  }

  if (!Array.isArray(pointers) || pointers.length === 0) {
    yield `The operation must have "${ESSENTIAL}": pointers of the fields that a success must have.`
    return
  }

  for (const pointer of pointers) {
    if (!isRequired(body, String(pointer))) {
      yield `"${ESSENTIAL}" names ${pointer}, which is not a required field that the document shows.`
    }
  }
}

/**
 * The schema of the success without its assumptions. A short path whose response the document does
 * not show has that of its operation.
 */
function shownBody(input: RuleInput, operation: Operation): Node | undefined {
  const ownBody = statedBody(input.contract, operation)
  if (ownBody) return ownBody

  const aliased = operationsOf(input.other).find(({ id }) => id === operation.operation[ALIAS_OF])
  return aliased && statedBody(input.other, aliased)
}

/** Whether each step of a pointer is a required property of the schema before it. */
function isRequired(body: Node, pointer: string): boolean {
  let schema = body
  for (const name of stepsOf(pointer)) {
    const { properties, required } = schema
    const property = isNode(properties) ? properties[name] : undefined
    const isListed = Array.isArray(required) && required.includes(name)
    if (!isListed || !isNode(property)) return false
    schema = property
  }
  return schema !== body
}
