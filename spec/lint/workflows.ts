import { createViews, type OperationView } from './behaviour/contract-view.ts'
import { fieldError } from './fields.ts'
import { readYaml, workflowFiles } from './files.ts'
import { isNode, type Node } from './marks.ts'
import { findStrings, listOperations, pointerBelow } from './operations.ts'
import type { Fault } from './rule.ts'
import { didYouMean } from './suggest.ts'

/** The operation that a step of a workflow calls, and what its expressions can read. */
interface Step {
  readonly view: OperationView
  readonly statuses: readonly string[]
  /** The names of the inputs of the workflow. */
  readonly inputs: readonly string[]
  /** The names of the outputs of each step before. */
  readonly outputs: ReadonlyMap<string, readonly string[]>
}

interface WorkflowFault extends Fault {
  readonly file: string
}

/**
 * Reports steps of workflows that call an operation, set a parameter or a field, or read a value
 * which does not exist.
 */
export function* workflowReferences(spec: string, contract: Node): Generator<WorkflowFault> {
  for (const file of workflowFiles(spec)) {
    const { workflows } = readYaml<Node>(spec, file).value
    for (const [index, workflow] of Object.entries(asNode(workflows)))
      for (const fault of workflowFaults(contract, workflow, pointerBelow('/workflows', index)))
        yield { ...fault, file }
  }
}

/**
 * Reports what the steps of one workflow name that does not exist. A step calls an operation of the
 * contract, and can read inputs of the workflow and outputs of earlier steps.
 */
function* workflowFaults(contract: Node, workflow: unknown, at: string): Generator<Fault> {
  if (!isNode(workflow)) return
  const views = new Map(createViews(contract).map((view) => [view.id, view]))
  const inputs = Object.keys(asNode(asNode(workflow.inputs).properties))
  const outputs = new Map<string, readonly string[]>()
  for (const [index, step] of Object.entries(asNode(workflow.steps))) {
    if (!isNode(step)) continue
    const place = pointerBelow(at, 'steps', index)
    const id = String(step.operationId)
    const view = views.get(id)
    if (view) {
      const statuses = declaredStatuses(contract, id)
      yield* stepFaults(contract, step, { view, statuses, inputs, outputs }, place)
    } else {
      yield unknownOperation(id, views.keys(), place)
    }

    // Only now, since a step can read the outputs of those before it, and not its own.
    outputs.set(String(step.stepId), Object.keys(asNode(step.outputs)))
  }
}

function unknownOperation(id: string, ids: Iterable<string>, at: string): Fault {
  const next = didYouMean(id, ids, '; correct it.')
  const message = `The contract has no operation "${id}"${next}`
  return { message, at: pointerBelow(at, 'operationId') }
}

/**
 * Reports what one step names that does not exist: parameters, fields of the request, and what its
 * runtime expressions read.
 *
 * @param node The step as the file has it.
 * @param step The operation that it calls, and what its expressions can read.
 */
function* stepFaults(contract: Node, node: Node, step: Step, at: string): Generator<Fault> {
  yield* parameterFaults(step.view, node.parameters, pointerBelow(at, 'parameters'))

  const { payload } = asNode(node.requestBody)
  yield* payloadFaults(contract, step.view, payload, pointerBelow(at, 'requestBody', 'payload'))

  for (const { place, text } of findStrings(node, at))
    for (const message of expressionErrors(contract, step, text)) yield { message, at: place }
}

/** Reports parameters of a step that its operation does not have. */
function* parameterFaults(view: OperationView, parameters: unknown, at: string): Generator<Fault> {
  for (const [index, parameter] of Object.entries(asNode(parameters))) {
    const name = isNode(parameter) ? String(parameter.name) : ''
    // The contract declares authorization by its security schemes.
    if (name === 'authorization' || view.parameters.includes(name)) continue
    const next = didYouMean(name, view.parameters, '; correct it.')
    const message = `${view.id} has no parameter "${name}"${next}`
    yield { message, at: pointerBelow(at, index, 'name') }
  }
}

/** Reports fields of the body that a step sends (`payload`) which its operation does not take. */
function* payloadFaults(
  contract: Node,
  view: OperationView,
  payload: unknown,
  at: string,
): Generator<Fault> {
  for (const pointer of fieldPointers(payload)) {
    const message = fieldError(contract, view, 'request', pointer)
    if (message) yield { message, at: at + pointer }
  }
}

/** The pointers of all fields at and below a value: `/payer` and `/payer/name` of a body. */
function* fieldPointers(value: unknown, at = ''): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, child] of Object.entries(value)) {
    yield pointerBelow(at, name)
    yield* fieldPointers(child, pointerBelow(at, name))
  }
}

/**
 * The errors of the runtime expressions in a text, such as `$steps.create.outputs.id`: what they
 * read does not exist.
 */
function* expressionErrors(contract: Node, step: Step, text: string): Generator<string> {
  yield* bodyErrors(contract, step, text)
  yield* inputErrors(step, text)
  yield* outputErrors(step, text)
  yield* statusErrors(step, text)
}

/** Such as `$response.body#/id`. */
const BODY_FIELD = /\$(request|response)\.body#([\w/~-]+)/g

/** Reports fields that an expression reads and the body does not have: `$response.body#/id`. */
function* bodyErrors(contract: Node, { view }: Step, text: string): Generator<string> {
  for (const [, side, pointer = ''] of text.matchAll(BODY_FIELD)) {
    const message = fieldError(contract, view, side === 'request' ? 'request' : 'response', pointer)
    if (message) yield message
  }
}

/** Such as `$inputs.amount`. */
const INPUT = /\$inputs\.(\w+)/g

/** Reports inputs that an expression reads and the workflow does not have: `$inputs.amount`. */
function* inputErrors({ inputs }: Step, text: string): Generator<string> {
  for (const [, name = ''] of text.matchAll(INPUT)) {
    if (inputs.includes(name)) continue
    yield `The workflow has no input "${name}"${didYouMean(name, inputs, '; add it to "inputs".')}`
  }
}

/** Such as `$steps.create.outputs.id`. */
const OUTPUT = /\$steps\.([\w-]+)\.outputs\.(\w+)/g

/** Reports outputs that an expression reads and no earlier step has: `$steps.check.outputs.id`. */
function* outputErrors({ outputs }: Step, text: string): Generator<string> {
  for (const [, stepId = '', name = ''] of text.matchAll(OUTPUT)) {
    const names = outputs.get(stepId)
    if (!names) {
      const next = didYouMean(stepId, outputs.keys(), '; correct it.')
      yield `No step before this one is named "${stepId}"${next}`
    } else if (!names.includes(name)) {
      yield `The step ${stepId} has no output "${name}"${didYouMean(name, names, '; add it there.')}`
    }
  }
}

/** Such as `$statusCode == 200`. */
const STATUS = /\$statusCode == (\d+)/g

/** Reports statuses that an expression expects and the operation does not have: `$statusCode == 200`. */
function* statusErrors({ view, statuses }: Step, text: string): Generator<string> {
  for (const [, status = ''] of text.matchAll(STATUS)) {
    if (statuses.includes(status)) continue
    yield `${view.id} has no status ${status}; it has ${statuses.join(', ')}.`
  }
}

function declaredStatuses(contract: Node, id: string): string[] {
  const declared = listOperations(contract).find((operation) => operation.id === id)
  return Object.keys(asNode(declared?.operation.responses))
}

/** An object or an array by its keys; empty if it is neither. */
function asNode(value: unknown): Node {
  return typeof value === 'object' && value !== null ? (value as Node) : {}
}
