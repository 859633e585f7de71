import { branchesOf } from '@partner-payments/contract'
import { isNode, type Node } from '../marks.ts'
import { listEntries, listOperations, resolveNode } from '../operations.ts'

/** A bundled operation with everything that the behaviour files refer to. */
export interface OperationView {
  readonly id: string
  readonly parameters: readonly string[]
  /** The schema of the request body. */
  readonly request: unknown
  /** The schema of the first successful response. */
  readonly response: unknown
  /** The error codes in the examples of its responses. */
  readonly refusals: readonly DeclaredRefusal[]
}

export interface DeclaredRefusal {
  readonly code: string
  readonly status: number
  /** The example body of the contract. */
  readonly example: Node
}

/**
 * The operations of a bundled contract, each with what entries of spec/behaviour can refer to:
 * parameters, the schemas of its bodies, and the error codes that it shows.
 */
export function createViews(contract: Node): OperationView[] {
  return listOperations(contract).map(({ id, path, operation }) => {
    const responses = listEntries(operation.responses)
    const [, success] = responses.find(([status]) => status.startsWith('2')) ?? []
    return {
      id,
      parameters: [
        ...parameterNames(contract, path.parameters),
        ...parameterNames(contract, operation.parameters),
      ],
      request: firstMedia(contract, operation.requestBody).schema,
      response: firstMedia(contract, success).schema,
      refusals: responses.flatMap(([status, response]) =>
        shownRefusals(contract, Number(status), response),
      ),
    }
  })
}

function parameterNames(contract: Node, parameters: unknown): string[] {
  if (!Array.isArray(parameters)) return []
  return parameters.map((parameter) => String(resolveNode(contract, parameter).name))
}

/**
 * The error codes of a response: those in its examples, each with the example. The status is that
 * of the response, which a body need not repeat.
 */
function shownRefusals(contract: Node, status: number, response: unknown): DeclaredRefusal[] {
  const { examples } = firstMedia(contract, response)
  const refusals: DeclaredRefusal[] = []
  for (const [, example] of listEntries(examples)) {
    const { value } = resolveNode(contract, example)
    if (!isNode(value) || typeof value.code !== 'string') continue
    refusals.push({ code: value.code, status, example: value })
  }
  return refusals
}

/** The first media type of a request body or a response; empty if it has none. */
function firstMedia(contract: Node, holder: unknown): Node {
  const { content } = resolveNode(contract, holder)
  const [[, media] = []] = listEntries(content)
  return isNode(media) ? media : {}
}

interface ChildSchema {
  /** What leads to it: the name of a property, or `0` for the items of an array. */
  readonly step: string
  readonly child: unknown
}

/**
 * The schemas directly below a schema: of its properties, each with its name as the `step`, and of
 * the items of an array, with the step `0`.
 */
export function childSchemas(contract: Node, schema: unknown): ChildSchema[] {
  const children: ChildSchema[] = []
  for (const { properties, items } of branchesOf(contract, schema)) {
    for (const [name, child] of listEntries(properties)) children.push({ step: name, child })
    if (items !== undefined) children.push({ step: '0', child: items })
  }
  return children
}
