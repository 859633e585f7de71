import { stepsOf } from '@partner-payments/text'
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
    const success = responses.find(([status]) => status.startsWith('2'))?.[1]
    return {
      id,
      parameters: [path.parameters, operation.parameters].flatMap((all) =>
        Array.isArray(all) ? all.map((it) => String(resolved(contract, it).name)) : [],
      ),
      request: mediaOf(contract, operation.requestBody).schema,
      response: mediaOf(contract, success).schema,
      refusals: responses.flatMap(([, response]) => refusalsOf(contract, response)),
    }
  })
}

function refusalsOf(contract: Node, response: unknown): DeclaredRefusal[] {
  const { examples } = mediaOf(contract, response)
  return entriesOf(examples).flatMap(([, it]) => {
    const { value } = resolved(contract, it)
    if (!isNode(value) || typeof value.code !== 'string') return []
    return [{ code: value.code, status: Number(value.status), example: value }]
  })
}

function mediaOf(contract: Node, holder: unknown): Node {
  const { content } = resolved(contract, holder)
  const [media] = entriesOf(content).map(([, it]) => it)
  return isNode(media) ? media : {}
}

/** The schemas at a JSON pointer into a body; empty if the body cannot have that field. */
export function schemasAt(contract: Node, schema: unknown, pointer: string): Node[] {
  return stepsOf(pointer).reduce<Node[]>(
    (found, key) => found.flatMap((it) => childrenOf(contract, it, key)),
    branchesOf(contract, schema),
  )
}

function childrenOf(contract: Node, schema: Node, step: string): Node[] {
  const properties = isNode(schema.properties) ? schema.properties : {}
  const child =
    step in properties ? properties[step] : /^\d+$/.test(step) ? schema.items : undefined
  return child === undefined ? [] : branchesOf(contract, child)
}

/** A schema and every schema that it combines. */
function branchesOf(contract: Node, schema: unknown): Node[] {
  const node = resolved(contract, schema)
  const combined = ['allOf', 'oneOf', 'anyOf'].flatMap((key) =>
    Array.isArray(node[key]) ? node[key] : [],
  )
  return [node, ...combined.flatMap((it) => branchesOf(contract, it))]
}
