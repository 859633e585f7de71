import type { Operation, Validator } from '@partner-payments/validator'
import { below, type Document, type Node, nodeOf } from './document.ts'
import { JSON_TYPE, jsonOf } from './media-types.ts'
import { type ParameterView, parametersOf } from './parameter-views.ts'
import { isProtected, type Scheme, schemeOf } from './security.ts'
import { successesOf } from './statuses.ts'

/** An operation of the contract, prepared for generating requests. */
export interface OperationView {
  /** The operationId, or method and path if there is none. */
  readonly id: string
  readonly operation: Operation
  readonly method: string
  readonly path: string
  readonly pointer: string
  /** Path, query and header parameters. */
  readonly parameters: readonly ParameterView[]
  readonly pathParameters: readonly ParameterView[]
  readonly queryParameters: readonly ParameterView[]
  /** JSON pointer to the schema of the body; undefined if it takes no JSON. */
  readonly bodyPointer: string | undefined
  /** The media type of requests. */
  readonly bodyType: string
  /** The declared media types of the body. */
  readonly bodyTypes: readonly string[]
  readonly isBodyRequired: boolean
  /** The valid example bodies. */
  readonly examples: readonly unknown[]
  /** Number of examples that break their own schema. */
  readonly brokenExamples: number
  /** Example bodies of successful responses. */
  readonly responseExamples: readonly unknown[]
  /** Names of `examples`, in the same order; empty for an example without a name. */
  readonly exampleNames: readonly string[]
  /** The authentication scheme; undefined if it needs none, or one that is not supported. */
  readonly scheme: Scheme | undefined
  /** Why no request can be built; undefined if one can. */
  readonly unsendable: string | undefined
  readonly statuses: readonly string[]
  readonly effect: string | undefined
  /** Pointers to the one-time fields of the body, from the examples of its 409. */
  readonly oneTimeFields: readonly string[]
}

export function viewOf(document: Document, operation: Operation, validator: Validator): OperationView {
  const { method, path, pointer } = operation
  const node = document.follow(pointer).node
  const parameters = parametersOf(document, pointer, validator)
  const body = document.follow(below(pointer, 'requestBody'))
  const media = jsonOf(body.node, below(body.pointer, 'content'))
  const scheme = schemeOf(document, node)
  const statuses = Object.keys(nodeOf(node.responses))
  const examples = lazyExamples(document, media, validator)
  return {
    id: operation.id ?? `${method} ${path}`,
    operation,
    method,
    path,
    pointer,
    parameters,
    pathParameters: parameters.filter((it) => it.in === 'path'),
    queryParameters: parameters.filter((it) => it.in === 'query'),
    bodyPointer: media && below(media.pointer, 'schema'),
    bodyType: media?.type ?? JSON_TYPE,
    bodyTypes: Object.keys(nodeOf(body.node.content)),
    isBodyRequired: body.node.required === true,
    get examples() {
      return examples().sound.map(({ body }) => body)
    },
    get exampleNames() {
      return examples().sound.map(({ name }) => name)
    },
    get brokenExamples() {
      return examples().broken
    },
    responseExamples: responseExamplesOf(document, pointer, statuses),
    scheme,
    unsendable: unsendableReason(document, { node, body: body.node, media, scheme }),
    statuses,
    effect: typeof node['x-effect'] === 'string' ? node['x-effect'] : undefined,
    oneTimeFields: oneTimeFieldsOf(document, pointer),
  }
}

/** Whether an operation can be read without knowing an id. */
export function isPlainRead({ method, pathParameters }: OperationView): boolean {
  return method === 'GET' && pathParameters.length === 0
}

interface Parts {
  readonly node: Node
  readonly body: Node
  readonly media: object | undefined
  readonly scheme: Scheme | undefined
}

function unsendableReason(document: Document, { node, body, media, scheme }: Parts): string | undefined {
  if (body.required === true && !media) return 'its body is not JSON with a schema'
  return scheme === undefined && isProtected(document, node)
    ? 'it needs an unsupported authentication scheme'
    : undefined
}

function responseExamplesOf(document: Document, pointer: string, statuses: readonly string[]): unknown[] {
  return successesOf(statuses).flatMap((status) => {
    const response = document.follow(below(pointer, 'responses', status))
    const media = jsonOf(response.node, below(response.pointer, 'content'))
    return media ? examplesOf(document, media) : []
  })
}

/** Validates the examples on first use, since compiling schemas is slow. */
function lazyExamples(document: Document, media: Media | undefined, { validateValue }: Validator) {
  let known: { readonly sound: readonly { name: string; body: unknown }[]; readonly broken: number }
  return () => (known ??= judged())

  function judged() {
    if (!media) return { sound: [], broken: 0 }
    const names = namesOf(media.node)
    const all = examplesOf(document, media).map((body, i) => ({ name: names[i] ?? '', body }))
    const schema = below(media.pointer, 'schema')
    const sound = all.filter(({ body }) => validateValue(schema, body).length === 0)
    return { sound, broken: all.length - sound.length }
  }
}

interface Media {
  readonly pointer: string
  readonly node: Node
}

function namesOf(media: Node): string[] {
  const named = Object.keys(nodeOf(media.examples))
  return media.example === undefined ? named : ['', ...named]
}

function examplesOf(document: Document, { pointer, node }: Media): unknown[] {
  const names = Object.keys(nodeOf(node.examples))
  const listed = names.map((name) => document.follow(below(pointer, 'examples', name)).node.value)
  return node.example === undefined ? listed : [node.example, ...listed]
}

/** The pointers in the `errors` of the examples of the 409. */
function oneTimeFieldsOf(document: Document, pointer: string): string[] {
  const { pointer: at, node } = document.follow(below(pointer, 'responses', '409'))
  const media = jsonOf(node, below(at, 'content'))
  const problems = media ? examplesOf(document, media) : []
  const errors = problems.flatMap((problem) => Object.values(nodeOf(nodeOf(problem).errors)))
  return [...new Set(errors.map((error) => String(nodeOf(error).pointer)).filter((it) => it.startsWith('/')))]
}
