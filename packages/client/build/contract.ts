import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Behaviour } from '@partner-payments/spec/behaviour'
import { describe, isNode, mergeContracts, type Register } from '@partner-payments/spec/build'

/** An object of the contract. */
export type Node = Readonly<Record<string, unknown>>

type Named<T> = Readonly<Record<string, T>>

/** The contract, as far as the generators read it. */
export interface Contract extends Node {
  readonly tags: readonly Tag[]
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

/** One of the seven resources with its description. */
export interface Tag {
  readonly name: string
  readonly description: string
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
  readonly parameters?: readonly Reference[]
  readonly requestBody?: Body
  readonly responses: Named<Body | Reference>
  readonly 'x-alias-of'?: string
}

/** One operation of the contract, as the table and the types of the client need it. */
export interface Operation {
  readonly operationId: string
  /** One of the seven resource words. */
  readonly resource: string
  /** The method name below its resource: `createDueDate` of `qrcodes`. */
  readonly verb: string
  readonly method: string
  readonly path: string
  readonly effect: string
  /** JSON pointers of request values, with the pointers at which a success repeats them. */
  readonly echoes: readonly (readonly [from: string, to: string])[]
  readonly summary: string
  /** States the effect, the errors and the open questions. */
  readonly description: string
  readonly pathParameters: readonly string[]
  readonly hasQuery: boolean
  /** The name of the request's schema. */
  readonly request: string | undefined
  readonly status: number
  /** The name of the response schema; `undefined` if the response has no body. */
  readonly response: string | undefined
  /** The codes of its error responses, by status. */
  readonly errors: Readonly<Record<string, readonly string[]>>
  /** The operation that this short path repeats; it can only be called by path. */
  readonly aliasOf: string | undefined
}

/** Reads a file that `@partner-payments/spec` builds. */
async function readJson<T>(name: string): Promise<T> {
  const path = fileURLToPath(import.meta.resolve(`@partner-payments/spec/${name}`))
  return JSON.parse(await readFile(path, 'utf8')) as T
}

/** The contract merged with the short paths of its guide, whose shapes the lint of the contract checks. */
export async function readContract(): Promise<Contract> {
  return mergeContracts(await readJson<Node>('openapi.json'), await readJson<Node>('guide.json')) as Contract
}

export function readRegister(): Promise<Register> {
  return readJson<Register>('open-questions.json')
}

/** The operations of a contract or a part of it, in its order. */
export function operationsIn(items: Named<Named<unknown>>): [path: string, method: string, RawOperation][] {
  return Object.entries(items).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, it]) =>
      isNode(it) && 'operationId' in it
        ? [[path, method, it as RawOperation] as [string, string, RawOperation]]
        : [],
    ),
  )
}

/** The target of a reference; anything else stays as it is. */
export function resolve<T extends object>(value: T | Reference, named: Named<T>): T {
  const found = '$ref' in value ? named[nameIn(value.$ref as string)] : value
  if (!found) throw new Error(`the contract has no ${JSON.stringify(value)}`)
  return found as T
}

export function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

/** The operations of the contract, in its order, with descriptions that name the open questions. */
export async function readOperations(contract: Contract): Promise<Operation[]> {
  const described = describe(contract, await readRegister()) as Contract
  const { refusals = {} } = await readJson<Behaviour>('behaviour.json')
  const codesOf = (operationId: string, status: number) =>
    Object.entries(refusals).flatMap(([code, { responses = [] }]) =>
      responses.some((it) => it.status === status && it.operations.includes(operationId)) ? [code] : [],
    )
  return operationsIn(described.paths).map(([path, method, raw]) => {
    const { operationId, tags, summary, description = '', responses } = raw
    const statuses = Object.keys(responses).map(Number)
    const status = statuses.find((it) => it < 300) ?? 200
    const failures = statuses.filter((it) => it >= 400)
    return {
      operationId,
      resource: tags[0] ?? '',
      verb: verbOf(operationId),
      method: method.toUpperCase(),
      path,
      effect: raw['x-effect'],
      echoes: Object.entries(raw['x-echoes'] ?? {}).map((pair) => pair.map(pointerOf) as [string, string]),
      summary,
      description,
      pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ''),
      hasQuery: method === 'get' && (raw.parameters ?? []).length > 0 && !path.includes('{'),
      request: schemaName(raw.requestBody),
      status,
      response: schemaName(responses[status]),
      errors: Object.fromEntries(failures.map((it) => [it, codesOf(operationId, it)])),
      aliasOf: raw['x-alias-of'],
    }
  })
}

/** The JSON pointer in a runtime expression on a body. */
function pointerOf(expression: string): string {
  const [, pointer] = /^\$(?:request|response)\.body#(\/[\w/]+)$/.exec(expression) ?? []
  if (!pointer) throw new Error(`x-echoes: expected an expression on a body, got ${expression}`)
  return pointer
}

/** `createDueDateQrCode` is `qrcodes.createDueDate`, `rotateWebhookSecret` is `webhooks.rotateSecret`. */
function verbOf(operationId: string): string {
  return operationId.replace(/(Code|Key|Transfer|QrCode|User|Webhook)s?(?=$|Secret$)/, '')
}

function schemaName(body: Body | Reference | undefined): string | undefined {
  const { schema } = (body as Body | undefined)?.content?.['application/json'] ?? {}
  return schema?.$ref && nameIn(schema.$ref)
}
