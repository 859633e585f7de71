import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Behaviour } from '@partner-payments/spec/behaviour'
import { describe, mergeContracts, type Register } from '@partner-payments/spec/build'

/** An object of the contract. */
export type Node = Readonly<Record<string, unknown>>

/** One operation of the contract, as the generators need it. */
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

interface Reference {
  readonly $ref?: string
}

interface RawOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly 'x-effect': string
  readonly 'x-echoes'?: Readonly<Record<string, string>>
  readonly parameters?: readonly Reference[]
  readonly requestBody?: Body
  readonly responses: Readonly<Record<string, Body>>
  readonly 'x-alias-of'?: string
}

interface Body {
  readonly content?: Readonly<Record<string, { readonly schema: Reference; readonly examples?: object }>>
}

/** One of the seven resources with its description. */
export interface Tag {
  readonly name: string
  readonly description: string
}

interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** The path of a file that `@partner-payments/spec` builds. */
function specFile(name: string): string {
  return fileURLToPath(import.meta.resolve(`@partner-payments/spec/${name}`))
}

async function readJson<T>(name: string): Promise<T> {
  return JSON.parse(await readFile(specFile(name), 'utf8')) as T
}

/** The resources of the contract, in its order. */
export async function readTags(): Promise<readonly Tag[]> {
  const { tags } = await readJson<{ readonly tags: readonly Tag[] }>('openapi.json')
  return tags
}

/** The contract merged with the short paths of its guide. */
export async function readContract<T extends object>(): Promise<T> {
  // The contract's lint checks that both documents have the expected shapes.
  return mergeContracts(await readJson<Node>('openapi.json'), await readJson<Node>('guide.json')) as T
}

export function readRegister(): Promise<Register> {
  return readJson<Register>('open-questions.json')
}

/** The operations of the contract, in its order, with descriptions that name the open questions. */
export async function readOperations(): Promise<Operation[]> {
  const contract = describe(await readContract(), await readRegister()) as unknown as Contract
  const codes = codesByStatus(await readJson<Behaviour>('behaviour.json'))
  return Object.entries(contract.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter((entry): entry is [string, RawOperation] => isOperation(entry[1]))
      .map(([method, operation]) => readOperation({ method, path, codes }, operation)),
  )
}

function isOperation(value: unknown): value is RawOperation {
  return typeof value === 'object' && value !== null && 'operationId' in value
}

/** The error codes of an operation, by status. */
type CodesOf = (operationId: string, status: number) => readonly string[]

function codesByStatus({ refusals = {} }: Behaviour): CodesOf {
  return (operationId, status) =>
    Object.entries(refusals).flatMap(([code, { responses = [] }]) =>
      responses.some((it) => it.status === status && it.operations.includes(operationId)) ? [code] : [],
    )
}

interface Place {
  readonly method: string
  readonly path: string
  readonly codes: CodesOf
}

function readOperation({ method, path, codes }: Place, raw: RawOperation): Operation {
  const { operationId, tags, summary, description = '', responses } = raw
  const statuses = Object.keys(responses).map(Number)
  const status = statuses.find((it) => it < 300) ?? 200
  return {
    operationId,
    resource: tags[0] ?? '',
    verb: verbOf(operationId),
    method: method.toUpperCase(),
    path,
    effect: raw['x-effect'],
    echoes: Object.entries(raw['x-echoes'] ?? {}).map(([sent, shown]) => [pointerOf(sent), pointerOf(shown)]),
    summary,
    description,
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ''),
    hasQuery: method === 'get' && (raw.parameters ?? []).length > 0 && !path.includes('{'),
    request: schemaName(raw.requestBody),
    status,
    response: schemaName(responses[status]),
    errors: Object.fromEntries(statuses.filter((it) => it >= 400).map((it) => [it, codes(operationId, it)])),
    aliasOf: raw['x-alias-of'],
  }
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

function schemaName(body: Body | undefined): string | undefined {
  const content = body?.content?.['application/json']
  return content?.schema.$ref?.replace('#/components/schemas/', '')
}
