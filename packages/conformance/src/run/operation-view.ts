import type { Operation } from '@partner-payments/validator'
import { below, type Document, type Node, nodeOf } from './document.ts'

/** An operation, with what cases are made of. */
export interface OperationView {
  /** The operationId, or method and path where it has none. */
  readonly id: string
  readonly operation: Operation
  readonly method: string
  readonly path: string
  readonly pointer: string
  /** Names of the path parameters. */
  readonly pathParameters: readonly ParameterView[]
  readonly queryParameters: readonly ParameterView[]
  /** Where the schema of the JSON body is; undefined where it takes none. */
  readonly bodyPointer: string | undefined
  /** Bodies that the contract shows. */
  readonly examples: readonly unknown[]
  /** How a caller is told; undefined where it asks for nothing, or for something else. */
  readonly scheme: Scheme | undefined
  /** Where its key belongs, of the scheme `key`. */
  readonly key: KeyPlace | undefined
  readonly statuses: readonly string[]
  /** The status of its success. */
  readonly success: number
  readonly effect: string | undefined
  /** Members of the body that are used once, as the examples of its 409 name them. */
  readonly usedOnce: readonly string[]
}

/** HTTP Basic, a bearer token, or a key in a place of its own (OpenAPI 3.1, "Security Scheme Object"). */
export type Scheme = 'basic' | 'bearer' | 'key'

/** Where a key is sent. */
export interface KeyPlace {
  readonly in: string
  readonly name: string
}

export interface ParameterView {
  readonly name: string
  readonly pointer: string
  readonly example: unknown
}

/** What cases of an operation are made of. */
export function viewOf(document: Document, operation: Operation): OperationView {
  const { method, path, pointer } = operation
  const node = document.follow(pointer).node
  const parameters = parametersOf(document, pointer)
  const body = document.follow(below(pointer, 'requestBody'))
  const media = jsonOf(body.node, below(body.pointer, 'content'))
  const statuses = Object.keys(nodeOf(node.responses))
  return {
    id: operation.id ?? `${method} ${path}`,
    operation,
    method,
    path,
    pointer,
    pathParameters: parameters.filter((it) => it.place === 'path'),
    queryParameters: parameters.filter((it) => it.place === 'query'),
    bodyPointer: media && below(media.pointer, 'schema'),
    examples: media ? examplesOf(document, media) : [],
    ...securityOf(document, node),
    statuses,
    success: Number(statuses.find((status) => /^2\d\d$/.test(status)) ?? 200),
    effect: typeof node['x-effect'] === 'string' ? node['x-effect'] : undefined,
    usedOnce: usedOnce(document, pointer),
  }
}

function parametersOf(document: Document, pointer: string) {
  const item = pointer.slice(0, pointer.lastIndexOf('/'))
  const lists = [below(item, 'parameters'), below(pointer, 'parameters')]
  return lists.flatMap((list) =>
    Object.keys(nodeOf(document.at(list))).map((i) => {
      const { pointer: at, node } = document.follow(below(list, i))
      return { name: String(node.name), place: String(node.in), pointer: at, example: node.example }
    }),
  )
}

/** The media type of JSON among those of a body. */
function jsonOf({ content }: Node, pointer: string): { pointer: string; node: Node } | undefined {
  const type = Object.keys(nodeOf(content)).find((it) => /^application\/([\w.-]+\+)?json$/.test(it))
  return type === undefined
    ? undefined
    : { pointer: below(pointer, type), node: nodeOf(nodeOf(content)[type]) }
}

function examplesOf(document: Document, { pointer, node }: { pointer: string; node: Node }): unknown[] {
  const names = Object.keys(nodeOf(node.examples))
  const listed = names.map((name) => document.follow(below(pointer, 'examples', name)).node.value)
  return node.example === undefined ? listed : [node.example, ...listed]
}

/** The first of the alternatives that a caller can be told by; nothing where one of them asks for nothing. */
function securityOf(
  document: Document,
  { security = document.at('/security') }: Node,
): Pick<OperationView, 'scheme' | 'key'> {
  const ways = (Array.isArray(security) ? security : []).map((way) => Object.keys(nodeOf(way))[0])
  const known = ways.map((name) => name !== undefined && schemeNamed(document, name))
  const isOpen = ways.includes(undefined)
  return (!isOpen && known.find((it) => it !== false && it !== undefined)) || NOBODY
}

const NOBODY = { scheme: undefined, key: undefined }

function schemeNamed(document: Document, name: string): Pick<OperationView, 'scheme' | 'key'> | undefined {
  const { node } = document.follow(below('/components/securitySchemes', name))
  const scheme = String(node.scheme).toLowerCase()
  if (node.type === 'http' && (scheme === 'basic' || scheme === 'bearer')) return { scheme, key: undefined }
  if (node.type === 'apiKey') return { scheme: 'key', key: { in: String(node.in), name: String(node.name) } }
  // What these give is sent as a bearer token (RFC 6750), wherever it came from.
  return /^(oauth2|openIdConnect)$/.test(String(node.type)) ? { scheme: 'bearer', key: undefined } : undefined
}

/** The pointers that the examples of the operation's 409 name in their `errors`. */
function usedOnce(document: Document, pointer: string): string[] {
  const { pointer: at, node } = document.follow(below(pointer, 'responses', '409'))
  const media = jsonOf(node, below(at, 'content'))
  const problems = media ? examplesOf(document, media) : []
  const errors = problems.flatMap((problem) => Object.values(nodeOf(nodeOf(problem).errors)))
  return [...new Set(errors.map((error) => String(nodeOf(error).pointer)).filter((it) => it.startsWith('/')))]
}
