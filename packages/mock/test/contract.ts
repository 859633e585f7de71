import guide from '@partner-payments/spec/guide.json' with { type: 'json' }
import bundled from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { valueAt } from '@partner-payments/text'
import {
  createValidator,
  type Operation as Validated,
  type Validator,
} from '@partner-payments/validator'
import { expect } from 'vitest'
import type { Mock } from '../src/index.ts'

/** The part of the contract that the tests read. */
export interface Contract {
  paths: Record<string, Record<string, OperationObject>>
  components: { examples: Record<string, { value: Json }>; [kind: string]: unknown }
}

interface OperationObject {
  security?: Record<string, unknown>[]
  requestBody?: Body
  responses: Record<string, Body | Reference>
}

interface Body {
  content?: Record<string, { examples: Record<string, { value: Json } | Reference> }>
}

type Reference = { $ref: string }

export type Json = Record<string, unknown>

/** An operation, with the data to call it. */
export interface Operation {
  id: string
  method: string
  path: string
  authorization: string
  requests: [name: string, body: Json][]
  /** The documented responses by status and the name of the example, successes first. */
  responses: Documented[]
  of: Validated
  validator: Validator
}

export type Documented = readonly [status: number, name: string, value: Json | undefined]

/** The operations of the contract, then the short paths of the guide. */
export const operations: Operation[] = [
  copyOfContract(),
  structuredClone(guide) as unknown as Contract,
].flatMap((document) => {
  const validator = createValidator(document)
  return validator.operations.map((of) => toOperation(document, of, validator))
})

/** A copy of the contract that a test can modify. */
export function copyOfContract(): Contract {
  return structuredClone(bundled) as unknown as Contract
}

export function operation(id: string): Operation {
  const found = operations.find((operation) => operation.id === id)
  if (!found) throw new Error(`no operation ${id}`)

  return found
}

/** The body of the named request example, by default of the first one. */
export function bodyOf({ requests }: Operation, name?: string): Json | undefined {
  return requests.find(([key]) => name === undefined || key === name)?.[1]
}

/** Sends a request to a mock, without a socket. */
export function send(mock: Mock, path: string, init?: RequestInit): Promise<Response> {
  return mock.fetch(new Request(`http://mock${path}`, init))
}

/** Calls an operation with the contract's examples; `headers` and `body` override them. */
export function call(
  mock: Mock,
  operation: Operation,
  init: { headers?: Record<string, string>; body?: Json | undefined } = {},
) {
  const { method, path, authorization } = operation
  const { headers = {}, body = bodyOf(operation) } = init
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  return send(mock, path, {
    method,
    headers: { authorization, ...type, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

/** The differences between a response and the contract; empty if it conforms. */
export async function deviations(
  { of, validator }: Operation,
  response: Response,
): Promise<string[]> {
  const { status, headers } = response
  const text = await response.clone().text()
  const message = { status, headers, ...(text && { body: JSON.parse(text) }) }
  return validator
    .validateResponse(of, message)
    .map((it) => `${it.place}${it.pointer}: ${it.message}`)
}

/** Expects the mock to return a response that the request prefers. */
export async function expectDocumented(
  mock: Mock,
  operation: Operation,
  [status, name, value]: Documented,
) {
  const prefer = name === '' ? `code=${status}` : `code=${status}, example=${name}`
  const response = await call(mock, operation, { headers: { prefer } })
  expect(response.status).toBe(status)
  expect(await deviations(operation, response)).toEqual([])

  if (value === undefined) return

  const requestId = response.headers.get('x-request-id')
  expect(await response.json()).toEqual(
    'request_id' in value ? { ...value, request_id: requestId } : value,
  )
}

function toOperation(document: Contract, of: Validated, validator: Validator): Operation {
  const own = document.paths[of.path]?.[of.method.toLowerCase()] as OperationObject
  const isBasic = own.security?.some((scheme) => 'basic' in scheme)
  return {
    id: of.id ?? '',
    method: of.method,
    path: of.path.replace(/\{\w+\}/, 'b7f2a2c4-6f0e-4a3e-9b39-9e6c9c5f3a10'),
    authorization: isBasic ? `Basic ${btoa('key:secret')}` : 'Bearer some-token',
    requests: examplesOf(document, own.requestBody),
    responses: Object.entries(own.responses).flatMap(([status, response]): Documented[] => {
      const { content } = resolved(document, response)
      const examples = content ? examplesOf(document, { content }) : ([['', undefined]] as const)
      return examples.map(([name, value]) => [Number(status), name, value])
    }),
    of,
    validator,
  }
}

function examplesOf(
  document: Contract,
  { content = {} }: Body = {},
): [name: string, value: Json][] {
  const examples = Object.values(content).flatMap((media) => Object.entries(media.examples))
  return examples.map(([name, example]) => [name, resolved(document, example).value])
}

function resolved<T extends object>(document: Contract, node: T | Reference): T {
  return '$ref' in node ? (valueAt(document, node.$ref) as T) : node
}
