import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningMock, serve } from '../src/index.ts'
import {
  call,
  copyOfContract,
  deviations,
  errorsOf,
  type Json,
  type Operation,
  operation,
  operations,
} from './contract.ts'
import { examplesOf, expectDocumented, success } from './examples.ts'

let mock: RunningMock

beforeAll(async () => {
  mock = await serve({ port: 0 })
})

afterAll(() => mock.close())

it('serves the 20 operations and the 5 short paths of the guide', () => {
  expect(operations).toHaveLength(25)
})

describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (_, operation) => {
  it('returns its documented success with its example', async () => {
    const [status, declared] = success(operation)
    const response = await call(mock.url, operation)
    expect(response.status).toBe(status)
    expect(await deviations(operation, response)).toEqual([])
    const [first] = Object.values(declared.content?.['application/json']?.examples ?? {})
    if (first) expect(await response.json()).toEqual(first.value)
  })

  it('refuses a request without credentials', async () => {
    const response = await call(mock.url, operation, { headers: { authorization: '' } })
    expect(response.status).toBe(401)
    expect(await deviations(operation, response)).toEqual([])
  })
})

it.each(examplesOf(operation('createTransfer')))(
  'returns %i with the example %s by Prefer',
  (...documented) => expectDocumented(mock.url, operation('createTransfer'), documented),
)

describe.each(withBodies())('%s with the body %s', (_id, _name, operation, body) => {
  const properties = Object.keys(body)

  it.each(properties)('validates a body without %s like the schema', async (property) => {
    const { [property]: _, ...rest } = body
    await expectSameVerdict(operation, rest, `/${property}`)
  })

  it.each(properties)('refuses a %s of the wrong type', async (property) => {
    const wrong = { ...body, [property]: 1.5 }
    expect(errorsOf(operation.requestSchema ?? {}, wrong)).not.toEqual([])
    await expectSameVerdict(operation, wrong, `/${property}`)
  })
})

describe('a contract with an invalid example', () => {
  it('causes a 500 and a log line', async () => {
    const contract = copyOfContract()
    delete contract.components.examples.emailKey?.value.initiation_id
    const lines: string[] = []
    const broken = await serve({ port: 0, contract, log: (line) => lines.push(line) })
    const response = await call(broken.url, operation('checkKey'))
    await broken.close()
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ status: 500, code: 'internal_error' })
    expect(lines).toEqual([expect.stringMatching(/checkKey 200 \/initiation_id expected a value/)])
  })

  it('causes a 500 for an invalid header value', async () => {
    const contract = copyOfContract()
    Object.assign((contract.components.headers as Json).RetryAfter as Json, { example: '☃', schema: {} })
    const lines: string[] = []
    const broken = await serve({ port: 0, contract, log: (line) => lines.push(line) })
    const response = await call(broken.url, operation('listUsers'), { headers: { prefer: 'code=503' } })
    await broken.close()
    expect([response.status, lines.length]).toEqual([500, 1])
  })

  it('is also detected by `deviations`', async () => {
    const { initiation_id: _, ...body } = (await (await call(mock.url, operation('checkKey'))).json()) as Json
    const broken = Response.json({ ...body, ispb: 'x' })
    expect(await deviations(operation('checkKey'), broken)).toEqual([
      'header x-request-id is missing',
      " must have required property 'initiation_id'",
      '/ispb must match pattern "^[0-9A-Z]{8}$"',
    ])
  })
})

/** Expects the mock to accept or refuse a body like the schema does with ajv. */
async function expectSameVerdict(operation: Operation, body: Json, pointer: string) {
  const valid = errorsOf(operation.requestSchema ?? {}, body).length === 0
  const response = await call(mock.url, operation, { body })
  expect(response.status).toBe(valid ? success(operation)[0] : 400)
  expect(await deviations(operation, response)).toEqual([])
  if (valid) return
  const problem = (await response.json()) as Json
  expect(problem).toMatchObject({ status: 400, code: 'invalid_request' })
  expect(problem.errors).toContainEqual(expect.objectContaining({ pointer }))
}

function withBodies() {
  return operations.flatMap((operation) =>
    operation.requests.map(([name, body]) => [operation.id, name, operation, body] as const),
  )
}
