import { valueAt } from '@partner-payments/contract'
import guide from '@partner-payments/spec/guide.json' with { type: 'json' }
import bundled from '@partner-payments/spec/openapi.json' with { type: 'json' }
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
  requests: { name: string; body: Json }[]
  /** The documented responses by status and the name of the example, successes first. */
  responses: Documented[]
  validated: Validated
  validator: Validator
}

/** A documented response; without a name and a value if it has no example. */
export interface Documented {
  readonly status: number
  readonly name: string
  readonly value: Json | undefined
}

/** The operations of the contract, then the short paths of the guide. */
export const operations: Operation[] = [
  ...listOperations(copyOfContract()),
  ...listOperations(structuredClone(guide) as unknown as Contract),
]

function listOperations(document: Contract): Operation[] {
  const validator = createValidator(document)
  return validator.operations.map((validated) => toOperation(document, validated, validator))
}

/** A copy of the contract that a test can modify. */
export function copyOfContract(): Contract {
  return structuredClone(bundled) as unknown as Contract
}

export function operation(id: string): Operation {
  const operation = operations.find((candidate) => candidate.id === id)
  if (!operation) throw new Error(`no operation ${id}`)

  return operation
}

/** The body of the named request example, by default of the first one. */
export function readBody({ requests }: Operation, name?: string): Json | undefined {
  const request = name === undefined ? requests[0] : requests.find((other) => other.name === name)
  return request?.body
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
  const { headers = {}, body = readBody(operation) } = init
  if (body === undefined)
    return send(mock, path, { method, headers: { authorization, ...headers } })

  return send(mock, path, {
    method,
    headers: { authorization, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

/** The differences between a response and the contract; empty if it conforms. */
export async function deviations(
  { validated, validator }: Operation,
  response: Response,
): Promise<string[]> {
  const { status, headers } = response
  const text = await response.clone().text()
  const message = text === '' ? { status, headers } : { status, headers, body: JSON.parse(text) }
  const findings = validator.validateResponse(validated, message)
  return findings.map(({ place, pointer, message }) => `${place}${pointer}: ${message}`)
}

/** Expects the mock to return a response that the request prefers. */
export async function expectDocumented(
  mock: Mock,
  operation: Operation,
  { status, name, value }: Documented,
) {
  const prefer = name === '' ? `code=${status}` : `code=${status}, example=${name}`
  const response = await call(mock, operation, { headers: { prefer } })
  expect(response.status).toBe(status)
  expect(await deviations(operation, response)).toEqual([])

  if (value === undefined) return

  const isProblem = 'request_id' in value
  const expected = isProblem
    ? { ...value, request_id: response.headers.get('x-request-id') }
    : value
  expect(await response.json()).toEqual(expected)
}

function toOperation(document: Contract, validated: Validated, validator: Validator): Operation {
  const { id = '', method, path } = validated
  const declared = document.paths[path]?.[method.toLowerCase()] as OperationObject
  const isBasic = declared.security?.some((scheme) => 'basic' in scheme)
  return {
    id,
    method,
    path: path.replace(/\{\w+\}/, 'b7f2a2c4-6f0e-4a3e-9b39-9e6c9c5f3a10'),
    authorization: isBasic ? `Basic ${btoa('key:secret')}` : 'Bearer some-token',
    requests: listExamples(document, declared.requestBody),
    responses: listResponses(document, declared),
    validated,
    validator,
  }
}

function listResponses(document: Contract, declared: OperationObject): Documented[] {
  const documented: Documented[] = []
  for (const [code, response] of Object.entries(declared.responses)) {
    const status = Number(code)
    const { content } = resolved(document, response)
    if (!content) {
      documented.push({ status, name: '', value: undefined })
      continue
    }

    for (const { name, body } of listExamples(document, { content }))
      documented.push({ status, name, value: body })
  }
  return documented
}

function listExamples(document: Contract, { content = {} }: Body = {}): Operation['requests'] {
  const examples = Object.values(content).flatMap((media) => Object.entries(media.examples))
  return examples.map(([name, example]) => ({ name, body: resolved(document, example).value }))
}

function resolved<T extends object>(document: Contract, node: T | Reference): T {
  return '$ref' in node ? (valueAt(document, node.$ref) as T) : node
}
