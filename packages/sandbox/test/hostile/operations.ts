import guide from '@partner-payments/spec/guide.json' with { type: 'json' }
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }

export type Node = { readonly [name: string]: unknown }

/** An operation of the contract or the guide, with its request schema. */
export interface Described {
  readonly id: string
  readonly method: string
  /** Parameters are in braces. */
  readonly path: string
  readonly parameters: readonly Node[]
  /** The schema of the body; undefined if there is none. */
  readonly schema: Node | undefined
  /** By their names. */
  readonly examples: Readonly<Record<string, unknown>>
  readonly document: object
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** The operations of both contracts. */
export const described: readonly Described[] = [...operationsOf(contract), ...operationsOf(guide)]

function operationsOf(document: object): Described[] {
  const { paths } = document as { paths: Record<string, Node> }
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => describe(document, path, item, method)),
  )
}

function describe(document: object, path: string, item: Node, method: string): Described {
  const operation = item[method] as Node
  const lists = [item.parameters, operation.parameters].flatMap((list) => (list ?? []) as Node[])
  const json = membersOf(operation, ['requestBody', 'content', 'application/json'])
  const examples = Object.entries((json?.examples ?? {}) as Record<string, Node>)
  return {
    id: String(operation.operationId),
    method: method.toUpperCase(),
    path,
    parameters: lists.map((it) => resolved(document, it)),
    schema: json?.schema as Node | undefined,
    examples: Object.fromEntries(examples.map(([name, it]) => [name, resolved(document, it).value])),
    document,
  }
}

function membersOf(node: Node, names: readonly string[]): Node | undefined {
  return names.reduce<Node | undefined>((at, name) => at?.[name] as Node | undefined, node)
}

/** Resolves the reference of a schema, a parameter or an example. */
export function resolved(document: object, node: Node): Node {
  const { $ref, ...own } = node
  if (typeof $ref !== 'string') return node
  const steps = $ref.split('/').slice(1)
  const target = steps.reduce<unknown>((at, step) => (at as Node)[step], document)
  return { ...resolved(document, target as Node), ...own }
}
