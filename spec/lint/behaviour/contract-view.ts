import { stepsOf } from '@partner-payments/contract'
import { isNode, type Node } from '../marks.ts'
import { entriesOf, operationsOf, resolved } from '../operations.ts'

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

/** The operations of a bundled contract. */
export function viewsOf(contract: Node): OperationView[] {
  return operationsOf(contract).map(({ id, path, operation }) => {
    const responses = entriesOf(operation.responses)
    const [, success] = responses.find(([status]) => status.startsWith('2')) ?? []
    return {
      id,
      parameters: [
        ...parameterNames(contract, path.parameters),
        ...parameterNames(contract, operation.parameters),
      ],
      request: mediaOf(contract, operation.requestBody).schema,
      response: mediaOf(contract, success).schema,
      refusals: responses.flatMap(([status, response]) =>
        refusalsOf(contract, Number(status), response),
      ),
    }
  })
}

function parameterNames(contract: Node, parameters: unknown): string[] {
  if (!Array.isArray(parameters)) return []
  return parameters.map((parameter) => String(resolved(contract, parameter).name))
}

/** The body need not repeat the status. */
function refusalsOf(contract: Node, status: number, response: unknown): DeclaredRefusal[] {
  const { examples } = mediaOf(contract, response)
  const refusals: DeclaredRefusal[] = []
  for (const [, example] of entriesOf(examples)) {
    const { value } = resolved(contract, example)
    if (!isNode(value) || typeof value.code !== 'string') continue
    refusals.push({ code: value.code, status, example: value })
  }
  return refusals
}

function mediaOf(contract: Node, holder: unknown): Node {
  const { content } = resolved(contract, holder)
  const [[, media] = []] = entriesOf(content)
  return isNode(media) ? media : {}
}

/** The schemas at a JSON pointer into a body; empty if the body cannot have that field. */
export function schemasAt(contract: Node, schema: unknown, pointer: string): Node[] {
  let schemas = branchesOf(contract, schema)
  for (const step of stepsOf(pointer))
    schemas = schemas.flatMap((parent) => childrenOf(contract, parent, step))
  return schemas
}

function childrenOf(contract: Node, schema: Node, step: string): Node[] {
  const child = childOf(schema, step)
  return child === undefined ? [] : branchesOf(contract, child)
}

/** The schema of a property, or of the items of an array. */
function childOf({ properties, items }: Node, step: string): unknown {
  if (isNode(properties) && step in properties) return properties[step]
  const isIndex = /^\d+$/.test(step)
  return isIndex ? items : undefined
}

/** The steps below a schema: its properties, and `0` for the items of an array. */
export function childSchemas(
  contract: Node,
  schema: unknown,
): { readonly step: string; readonly child: unknown }[] {
  return branchesOf(contract, schema).flatMap(({ properties, items }) => {
    const children = entriesOf(properties).map(([step, child]) => ({ step, child }))
    return items === undefined ? children : [...children, { step: '0', child: items }]
  })
}

/** A schema and every schema that it combines. */
function branchesOf(contract: Node, schema: unknown): Node[] {
  const node = resolved(contract, schema)
  const combined = [node.allOf, node.oneOf, node.anyOf].filter(Array.isArray).flat()
  return [node, ...combined.flatMap((branch) => branchesOf(contract, branch))]
}
