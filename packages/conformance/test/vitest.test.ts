import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { expect, expectTypeOf, test } from 'vitest'
import '../src/vitest.ts'

const headers = { 'content-type': 'application/json', 'x-request-id': 'req_1' }
const USERS = contract.paths['/mobile-bff/v1/partner/user'].get.responses[200].content['application/json']

/** The example response of listUsers; some fields can be changed. */
function users(other: object = {}, status = 200): Response {
  const [example] = Object.values(USERS.examples)
  const { value } = contract.components.examples[refOf(example)] as { value: object }
  return Response.json({ ...value, ...other }, { status, headers })
}

function refOf(example: object | undefined): keyof typeof contract.components.examples {
  const { $ref = '' } = (example ?? {}) as { $ref?: string }
  return $ref.split('/').at(-1) as keyof typeof contract.components.examples
}

test('passes a valid response, and does not consume its body', async () => {
  const response = users()
  await expect(response).toConformTo('listUsers')
  expect(await response.json()).toHaveProperty('users')
})

test('lists the violations', async () => {
  const asserted = expect(users({ users: 7 })).toConformTo('listUsers')
  await expect(asserted).rejects.toThrow(
    /^The response 200 does not conform to the contract of listUsers:\n- listUsers, response-schema: \/users: expected array/,
  )
})

test('names each missing property, up to a limit', async () => {
  const missing = expect(Response.json({}, { headers })).toConformTo('checkKey')
  await expect(missing).rejects.toThrow(
    /\n.*\/ispb: expected a value, got nothing\.(.|\n)*\n.*\/owner_name: exp/,
  )
  const many = Array.from({ length: 40 }, () => ({}))
  const asserted = expect(users({ users: many })).toConformTo('listUsers')
  await expect(asserted).rejects.toThrow(/(\n- .*){20}\n- and \d+ more$/)
})

test('reports an undeclared status', async () => {
  await expect(expect(users({}, 299)).toConformTo('listUsers')).rejects.toThrow('response-status-declared')
})

test('reports deviations from assumptions, unless strict is false', async () => {
  await expect(expect(users({ brand_new: 1 })).toConformTo('listUsers')).rejects.toThrow('brand_new')
  await expect(users({ brand_new: 1 })).toConformTo('listUsers', { strict: false })
  await expect(expect(users({ users: 7 })).toConformTo('listUsers', { strict: false })).rejects.toThrow(
    'response-schema',
  )
})

test('can be negated', async () => {
  await expect(users({ users: 7 })).not.toConformTo('listUsers')
  await expect(expect(users()).not.toConformTo('listUsers')).rejects.toThrow('was expected not to')
})

test('uses a changed copy of the contract', async () => {
  const content = { 'application/json': { schema: { type: 'string' } } }
  const responses = { 200: { description: 'Pong', content } }
  const other = {
    openapi: '3.1.0',
    info: { title: 'Other', version: '1' },
    paths: { '/ping': { get: { operationId: 'ping', responses } } },
  }
  await expect(Response.json('pong')).toConformTo('ping', { contract: other })
  await expect(expect(Response.json(1)).toConformTo('ping', { contract: other })).rejects.toThrow(
    'expected string, got integer',
  )
})

test('throws for a value that it cannot judge', async () => {
  const read = users()
  await read.text()
  await expect(expect(read).toConformTo('listUsers')).rejects.toThrow('hand over response.clone()')
  await expect(expect({ status: 200 }).toConformTo('listUsers')).rejects.toThrow('expects a Response')
  // @ts-expect-error: no operation of the contract has this id
  await expect(expect(users()).toConformTo('listUser')).rejects.toThrow('no operation "listUser"')
})

test('is typed', () => {
  const matcher = expect(new Response()).toConformTo
  expectTypeOf(matcher).toBeCallableWith('checkKey')
  expectTypeOf(matcher).toBeCallableWith('checkKey', { strict: false })
  expectTypeOf(matcher).returns.toExtend<Promise<unknown>>()
  // @ts-expect-error: options are an object
  void (() => matcher('checkKey', true))
  // @ts-expect-error: an operation is needed
  void (() => matcher())
})
