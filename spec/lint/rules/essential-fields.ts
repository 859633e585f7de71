import { isNode, type Node } from '../marks.ts'
import { ALIAS_OF, listOperations, type Operation, pointerBelow } from '../operations.ts'
import type { Rule, RuleInput } from '../rule.ts'
import { statedBody } from '../stated.ts'
import { didYouMean } from '../suggest.ts'

/** On an operation: JSON pointers of the fields without which a response is no success. */
const ESSENTIAL = 'x-essential'

/**
 * Reports operations whose essential fields (`x-essential`) are wrong. A client takes the outcome
 * of a request as unknown if a success lacks one of them, which must not rest on an assumption. So
 * each is a required field that the document shows; an operation has them only if the document
 * shows the body of its success.
 */
export const essentialFields: Rule = function* (input) {
  for (const operation of listOperations(input.contract)) {
    const body = readStatedBody(input, operation)
    const pointers = operation.operation[ESSENTIAL]
    for (const { message, step } of essentialFaults(pointers, body))
      yield { message, at: `${operation.at}${step}` }
  }
}

interface EssentialFault {
  readonly message: string
  /** The pointer below the operation. */
  readonly step: string
}

/**
 * Reports what is wrong with the essential fields of an operation: those without which a response is
 * no success for a client. `x-essential: [/id]` names them. Each must be a required field that the
 * document shows, since only facts may turn a success into an error.
 *
 * @param pointers The value of `x-essential`, if the operation has it.
 * @param body The schema of its success as far as the document states it; undefined if the document
 * does not show the body.
 */
function* essentialFaults(pointers: unknown, body: Node | undefined): Generator<EssentialFault> {
  const isBodyShown = body !== undefined
  if (!isBodyShown && pointers === undefined) return
  if (!isBodyShown) {
    const message = `The document does not show the body of the success; remove "${ESSENTIAL}".`
    yield { message, step: `/${ESSENTIAL}` }
    return
  }

  if (!Array.isArray(pointers) || pointers.length === 0) {
    const message = `The operation must have "${ESSENTIAL}"; add pointers of the fields that a success must have.`
    yield { message, step: '/operationId' }
    return
  }

  const fields = requiredFields(body)
  for (const [index, pointer] of pointers.entries()) {
    if (fields.includes(String(pointer))) continue
    const next = didYouMean(String(pointer), fields, '; name one, or remove it.')
    const message = `"${ESSENTIAL}" names ${pointer}, which is not a required field that the document shows${next}`
    yield { message, step: pointerBelow(`/${ESSENTIAL}`, index) }
  }
}

/**
 * The schema of the success without its assumptions. A short path whose response the document does
 * not show has that of its operation.
 */
function readStatedBody(input: RuleInput, operation: Operation): Node | undefined {
  const body = statedBody(input.contract, operation)
  if (body) return body

  const aliased = listOperations(input.other).find(({ id }) => id === operation.operation[ALIAS_OF])
  return aliased && statedBody(input.other, aliased)
}

/**
 * The pointers of the required fields of an object, and of those in them:
 * `['/payer', '/payer/name']`.
 */
function requiredFields({ properties, required }: Node, at = ''): string[] {
  if (!Array.isArray(required) || !isNode(properties)) return []
  const pointers: string[] = []
  for (const name of required.map(String)) {
    const property = properties[name]
    if (!isNode(property)) continue
    const pointer = pointerBelow(at, name)
    pointers.push(pointer, ...requiredFields(property, pointer))
  }
  return pointers
}
