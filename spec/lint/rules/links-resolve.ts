import { createViews, type OperationView } from '../behaviour/contract-view.ts'
import { fieldError } from '../fields.ts'
import { isMarkedWhole, isNode, type Node } from '../marks.ts'
import {
  findStrings,
  followReferences,
  listEntries,
  listOperations,
  type Operation,
  pointerBelow,
} from '../operations.ts'
import type { Fault, Rule } from '../rule.ts'
import { isAssumedOperation } from '../stated.ts'
import { didYouMean } from '../suggest.ts'

const ECHOES = 'x-echoes'

interface Context {
  readonly contract: Node
  readonly views: ReadonlyMap<string, OperationView>
  /** The ids of operations that are assumptions. */
  readonly assumed: ReadonlySet<string>
}

/**
 * Reports links to operations that do not exist, and links and echoes that read fields which do not
 * exist. An echo (`x-echoes`) says which field of a response repeats one of the request.
 */
export const linksResolve: Rule = function* ({ contract }) {
  const views = new Map(createViews(contract).map((view) => [view.id, view]))
  const operations = listOperations(contract)
  const assumed = new Set(operations.filter(isAssumedOperation).map(({ id }) => id))
  const context: Context = { contract, views, assumed }
  for (const operation of operations) {
    for (const { link, at } of listLinks(contract, operation))
      yield* linkFaults(context, operation, link, at)
    yield* echoFaults(context, operation)
  }
}

/** The links of all responses of an operation, with their pointers. */
function* listLinks(contract: Node, { operation, at }: Operation) {
  for (const [status, response] of listEntries(operation.responses)) {
    const target = followReferences(contract, response, pointerBelow(at, 'responses', status))
    for (const [name, link] of listEntries(target.node.links))
      yield { link, at: pointerBelow(target.at, 'links', name) }
  }
}

/**
 * Reports what a link of a response names that does not exist. A link says how a response leads to
 * the next request: `{ operationId: 'getWebhook', parameters: { webhook_id: '$response.body#/id' } }`.
 */
function* linkFaults(
  context: Context,
  from: Operation,
  link: unknown,
  at: string,
): Iterable<Fault> {
  if (!isNode(link)) return
  const id = String(link.operationId)
  const target = context.views.get(id)
  if (!target) {
    const next = didYouMean(id, context.views.keys(), '; correct it.')
    const message = `The contract has no operation "${id}"${next}`
    yield { message, at: pointerBelow(at, 'operationId') }
    return
  }

  // A link between facts must lead to a fact.
  const isAssumed = isMarkedWhole(link) || context.assumed.has(from.id)
  const isTargetAssumed = context.assumed.has(id)
  if (isTargetAssumed && !isAssumed) {
    const message = `${id} is an assumption; mark the link to it with its open question.`
    yield { message, at: pointerBelow(at, 'operationId') }
  }

  // Values such as `$response.body#/id`, by the parameters that get them.
  const parametersAt = pointerBelow(at, 'parameters')
  yield* parameterFaults(target, link.parameters, parametersAt)
  for (const { place, text } of findStrings(link.parameters, parametersAt))
    yield* expressionFault(context, from.id, text, place)

  // A body with such values in its fields.
  const bodyAt = pointerBelow(at, 'requestBody')
  for (const { place, text } of findStrings(link.requestBody, bodyAt)) {
    yield* expressionFault(context, from.id, text, place)
    const pointer = place.slice(bodyAt.length)
    const message = fieldError(context.contract, target, 'request', pointer)
    if (message) yield { message, at: place }
  }
}

/** Reports parameters of a link that its target does not have. */
function* parameterFaults(target: OperationView, parameters: unknown, at: string): Iterable<Fault> {
  for (const [name] of listEntries(parameters)) {
    if (target.parameters.includes(name)) continue
    const next = didYouMean(name, target.parameters, '; correct it.')
    const message = `${target.id} has no parameter "${name}"${next}`
    yield { message, at: pointerBelow(at, name) }
  }
}

/**
 * Reports fields of `x-echoes` that the contract does not have. An echo says which field of the
 * response repeats one of the request: `{ '$request.body#/amount': '$response.body#/data/amount' }`.
 */
function* echoFaults(context: Context, { id, operation, at }: Operation): Iterable<Fault> {
  for (const [sent, shown] of listEntries(operation[ECHOES])) {
    const place = pointerBelow(at, ECHOES, sent)
    yield* expressionFault(context, id, sent, place)
    yield* expressionFault(context, id, String(shown), place)
  }
}

/**
 * The fault of a runtime expression, such as `$response.body#/id`, that reads a field which the
 * operation does not have; none otherwise.
 *
 * @param id The id of the operation whose request or response is read.
 */
function* expressionFault(
  { contract, views }: Context,
  id: string,
  expression: string,
  at: string,
): Iterable<Fault> {
  const view = views.get(id)
  const match = expression.match(BODY_FIELD)
  if (!view || !match) return

  const [, side, pointer = ''] = match
  const message = fieldError(contract, view, side === 'request' ? 'request' : 'response', pointer)
  if (message) yield { message, at }
}

const BODY_FIELD = /^\$(request|response)\.body#(.*)$/
