import { type Operation, questionOf, readContract } from '@partner-payments/contract'
import type { Behaviour } from '@partner-payments/spec/behaviour'
import behaviour from '@partner-payments/spec/behaviour.json' with { type: 'json' }
import { describe, isNode, mergeContracts, type Register } from '@partner-payments/spec/build'
import guide from '@partner-payments/spec/guide.json' with { type: 'json' }
import questions from '@partner-payments/spec/open-questions.json' with { type: 'json' }
import openapi from '@partner-payments/spec/openapi.json' with { type: 'json' }

/** An object of the contract. */
export type Node = Readonly<Record<string, unknown>>

type Named<T> = Readonly<Record<string, T>>

/** The contract, as far as the generators read it. */
export interface Contract extends Node {
  readonly info: { readonly version: string }
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

/**
 * The contract merged with the short paths of its guide, whose shapes the lint of the contract
 * checks.
 */
export const contract = mergeContracts<Node>(openapi, guide) as Contract

export const register = questions as Register

/** The target of a reference; anything else stays as it is. */
export function resolve<T extends object>(value: T | Reference, named: Named<T>): T {
  if (!('$ref' in value)) return value
  const target = named[readName(value.$ref as string)]
  if (!target) throw new Error(`the contract has no ${JSON.stringify(value)}`)
  return target
}

export function readName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

/**
 * The operations of the contract and its short paths, with descriptions that name the open
 * questions.
 */
export const operations: readonly Operation[] = readTable(describe(contract, register)).operations

/** The events that the service delivers. */
export const { events } = readTable(contract)

function readTable(document: object) {
  return readContract({ document, behaviour: behaviour as Behaviour })
}

/** The input of a call besides the path parameters. */
export function chooseInput({
  request,
  method,
  parameters,
}: Operation): 'body' | 'query' | undefined {
  if (request) return 'body'
  const hasQuery = parameters.some((parameter) => parameter.in === 'query')
  return method === 'GET' && hasQuery ? 'query' : undefined
}

/** JSON pointers of request values, with the pointers at which a success repeats them. */
export function listEchoes({ echoes }: Operation): string[][] {
  return Object.entries(echoes).map((pair) => pair.map(readPointer))
}

/** The JSON pointer in a runtime expression on a body. */
function readPointer(expression: string): string {
  const [, pointer] = /^\$(?:request|response)\.body#(\/[\w/]+)$/.exec(expression) ?? []
  if (!pointer) throw new Error(`x-echoes: expected an expression on a body, got ${expression}`)
  return pointer
}

/**
 * JSON pointers at which the success of a payment shows its status: an entry `equal` of
 * `spec/behaviour` says that these are the same. Empty for any other operation.
 */
export function listStatuses({ id, effect, success }: Operation): readonly string[] {
  const isPayment = effect === 'once'
  const schema = success.body?.name
  if (!isPayment || schema === undefined) return []

  const { resources = {}, invariants = {} } = behaviour as Behaviour
  const created = Object.values(resources).find(({ operations }) => operations.create === id)
  if (created?.status === undefined) return []

  for (const { of: schemas, equal = [] } of Object.values(invariants)) {
    if (schemas.includes(schema) && equal.includes(created.status)) return equal
  }
  return []
}

/** The codes of its error responses, by status. */
export function listErrors({ responses }: Operation): [status: number, codes: readonly string[]][] {
  const failures = responses.filter(({ status }) => Number(status) >= 400)
  return failures.map(({ status, codes }) => [Number(status), codes])
}

/**
 * Whether a success may have no body: the document says only that a cancellation succeeds, and a
 * mark says that all of its body is an assumption, so nobody needs it.
 */
export function mayBeEmpty({ method, success }: Operation): boolean {
  return method === 'DELETE' && questionOf(success.node, 'content') !== undefined
}

/** JSON pointers of the amounts of a request, outside arrays. */
export function listAmounts({ request }: Operation): string[] {
  if (!request) return []
  return [...new Set(findAmounts(request.schema))]
}

/** The pointers of the amounts in a value of a schema: its fields, its alternatives, its target. */
function findAmounts(schema: Node, pointer = ''): string[] {
  const { $ref, properties, oneOf = [] } = schema
  const nameOfTarget = readName(`${$ref}`)
  if (nameOfTarget === AMOUNT) return [pointer]

  const amounts: string[] = []
  if (isNode(properties)) {
    for (const [name, field] of Object.entries(properties))
      amounts.push(...findAmounts(field as Node, `${pointer}/${name}`))
  }
  for (const alternative of oneOf as Node[]) amounts.push(...findAmounts(alternative, pointer))

  const target = contract.components.schemas[nameOfTarget]
  if (target) amounts.push(...findAmounts(target, pointer))
  return amounts
}

/** The schema of every amount that a request sends. */
const AMOUNT = 'PaymentAmount'
