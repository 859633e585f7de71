import type { Behaviour } from '@partner-payments/spec/behaviour'
import behaviour from '@partner-payments/spec/behaviour.json' with { type: 'json' }
import {
  describe,
  isNode,
  marksOf,
  mergeContracts,
  type Register,
} from '@partner-payments/spec/build'
import guide from '@partner-payments/spec/guide.json' with { type: 'json' }
import questions from '@partner-payments/spec/open-questions.json' with { type: 'json' }
import openapi from '@partner-payments/spec/openapi.json' with { type: 'json' }

/** An object of the contract. */
export type Node = Readonly<Record<string, unknown>>

type Named<T> = Readonly<Record<string, T>>

/** The contract, as far as the generators read it. */
export interface Contract extends Node {
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Named<Named<unknown>>
  readonly webhooks: Named<Named<unknown>>
  readonly components: {
    readonly schemas: Named<Node>
    readonly parameters: Named<{ readonly in: string; readonly name: string }>
    readonly responses: Named<Body>
    readonly examples: Named<{ readonly summary?: string; readonly value: unknown }>
    readonly headers: Named<{ readonly example: string }>
  }
}

export interface Reference {
  readonly $ref: string
}

/** A request or a response. */
export interface Body extends Node {
  readonly headers?: Named<Reference>
  readonly content?: Named<{ readonly schema: Reference; readonly examples?: Named<Reference> }>
}

export interface RawOperation extends Node {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly 'x-effect': string
  readonly 'x-echoes'?: Named<string>
  readonly 'x-essential'?: readonly string[]
  readonly parameters?: readonly Reference[]
  readonly requestBody?: Body
  readonly responses: Named<Body | Reference>
}

/** One operation of the contract, as the table and the types of the client need it. */
export type Operation = ReturnType<typeof readOperations>[number]

/**
 * The contract merged with the short paths of its guide, whose shapes the lint of the contract
 * checks.
 */
export const contract = mergeContracts<Node>(openapi, guide) as Contract

export const register = questions as Register

/** The operations of a contract or a part of it, in its order. */
export function operationsIn(
  items: Named<Named<unknown>>,
): [path: string, method: string, RawOperation][] {
  const found: [path: string, method: string, RawOperation][] = []
  for (const [path, item] of Object.entries(items)) {
    for (const [method, node] of Object.entries(item)) {
      // A path also has fields that are no methods, such as `parameters`.
      const isOperation = isNode(node) && 'operationId' in node
      if (isOperation) found.push([path, method, node as RawOperation])
    }
  }
  return found
}

/** The target of a reference; anything else stays as it is. */
export function resolve<T extends object>(value: T | Reference, named: Named<T>): T {
  if (!('$ref' in value)) return value
  const target = named[nameIn(value.$ref as string)]
  if (!target) throw new Error(`the contract has no ${JSON.stringify(value)}`)
  return target
}

export function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

/** The operations of the contract, in its order, with descriptions that name the open questions. */
export function readOperations() {
  const described = describe(contract, register) as Contract
  return operationsIn(described.paths).map(([path, method, raw]) =>
    readOperation(path, method, raw),
  )
}

function readOperation(path: string, method: string, raw: RawOperation) {
  const { operationId, responses } = raw
  const statuses = Object.keys(responses).map(Number)
  const status = statuses.find((declared) => declared < 300) ?? 200
  const failures = statuses.filter((declared) => declared >= 400)
  return {
    operationId,
    resource: raw.tags[0] ?? '',
    verb: verbOf(operationId),
    method: method.toUpperCase(),
    path,
    effect: raw['x-effect'],
    /** JSON pointers of request values, with the pointers at which a success repeats them. */
    echoes: Object.entries(raw['x-echoes'] ?? {}).map((pair) => pair.map(pointerOf)),
    /** JSON pointers of the fields that a success must have. */
    essential: raw['x-essential'] ?? [],
    /** The document says only that a cancellation succeeds: nobody needs what it returns. */
    mayBeEmpty: method === 'delete' && isBodyNotShown(responses[status]),
    /** JSON pointers of the amounts of a request, outside arrays. */
    amounts: amountsOf(schemaName(raw.requestBody)),
    summary: raw.summary,
    description: raw.description ?? '',
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]),
    takes: inputOf(path, method, raw),
    /** The schemas of the bodies; `undefined` without a body. */
    request: schemaName(raw.requestBody),
    response: schemaName(responses[status]),
    status,
    /** The codes of its error responses, by status. */
    errors: failures.map((failure) => [failure, codesOf(operationId, failure)] as const),
    /** Whether it is a short path, which can only be called by path. */
    isAlias: 'x-alias-of' in raw,
  }
}

/** The input of a call besides the path parameters. */
function inputOf(path: string, method: string, raw: RawOperation): 'body' | 'query' | undefined {
  if (raw.requestBody) return 'body'
  const hasParameters = (raw.parameters ?? []).length > 0
  // No operation has parameters of both kinds.
  const hasPathParameters = path.includes('{')
  return method === 'get' && hasParameters && !hasPathParameters ? 'query' : undefined
}

/** The error codes that an operation returns with a status, from the declared refusals. */
function codesOf(operationId: string, status: number): string[] {
  const { refusals = {} } = behaviour as Behaviour
  const codes: string[] = []
  for (const [code, { responses = [] }] of Object.entries(refusals)) {
    const isReturned = responses.some(
      (response) => response.status === status && response.operations.includes(operationId),
    )
    if (isReturned) codes.push(code)
  }
  return codes
}

/** The JSON pointer in a runtime expression on a body. */
function pointerOf(expression: string): string {
  const [, pointer] = /^\$(?:request|response)\.body#(\/[\w/]+)$/.exec(expression) ?? []
  if (!pointer) throw new Error(`x-echoes: expected an expression on a body, got ${expression}`)
  return pointer
}

/**
 * `createDueDateQrCode` is `qrcodes.createDueDate`, `rotateWebhookSecret` is
 * `webhooks.rotateSecret`.
 */
function verbOf(operationId: string): string {
  return operationId.replace(/(Code|Key|Transfer|QrCode|User|Webhook)s?(?=$|Secret$)/, '')
}

/** Whether the document does not show a body: a mark says that all of it is an assumption. */
function isBodyNotShown(response: Body | Reference | undefined): boolean {
  return marksOf({ ...response }).some(({ keyword }) => keyword === 'content')
}

/** The pointers of the amounts in a schema, in those that it refers to, and in its branches. */
function amountsOf(name: string | undefined): string[] {
  if (name === undefined) return []
  return [...new Set(amountsIn({ $ref: `#/components/schemas/${name}` }))]
}

function amountsIn(schema: Node, pointer = ''): string[] {
  const target = nameIn(`${schema.$ref}`)
  if (target === AMOUNT) return [pointer]

  const found = isNode(schema.properties) ? Object.entries(schema.properties) : []
  const below = found.flatMap(([name, field]) => amountsIn(field as Node, `${pointer}/${name}`))
  const { oneOf = [] } = schema
  const branches = (oneOf as Node[]).flatMap((branch) => amountsIn(branch, pointer))
  const referred = contract.components.schemas[target]
  return [...below, ...branches, ...(referred ? amountsIn(referred, pointer) : [])]
}

/** The schema of every amount that a request sends. */
const AMOUNT = 'PaymentAmount'

function schemaName(body: Body | Reference | undefined): string | undefined {
  const { schema } = (body as Body | undefined)?.content?.['application/json'] ?? {}
  return schema ? nameIn(schema.$ref) : undefined
}
