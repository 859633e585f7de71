import { expect, test } from 'vitest'
import type { Service } from '../in-process-transport.ts'
import { judged } from './check-service.ts'
import { contractOf, createContractService, json, operation, response, statuses } from './contract-service.ts'
import { createShop, shop } from './shop.ts'

/** A service that ignores a part of the requests to one path. */
function blindTo(service: Service, path: string, fixed: (request: Request) => Request): Service {
  return (request) => service(new URL(request.url).pathname === path ? fixed(request) : request)
}

function withQuery(request: Request, name: string, value: string): Request {
  const url = new URL(request.url)
  if (!url.searchParams.has(name)) url.searchParams.set(name, value)
  return new Request(url, request)
}

function withHeader(request: Request, name: string, value: string): Request {
  const headers = new Headers(request.headers)
  if (!headers.has(name)) headers.set(name, value)
  return new Request(request, { headers })
}

test('sends the parameters that a request needs', async () => {
  const { found, unseen, rule, sent } = await judged(shop, createShop())
  expect({ found, unseen }).toEqual({ found: [], unseen: [] })
  expect(rule('break-refused')?.status).toBe('passed')
  expect(rule('boundary-accepted')?.status).toBe('passed')
  expect(sent.map(({ url }) => new URL(url).pathname)).not.toContain('/years/year/half')
})

test('generates a new idempotency key for each request', async () => {
  const { sent } = await judged(shop, createShop(), { only: ['boundary-accepted'] })
  const keys = sent.flatMap(({ headers }) => headers.get('idempotency-key') ?? [])
  expect(keys.length).toBeGreaterThan(5)
  expect(new Set(keys).size).toBe(keys.length)
})

test('finds a required query parameter that is not enforced', async () => {
  const service = blindTo(createShop(), '/search', (it) => withQuery(it, 'q', 'bread'))
  const { found } = await judged(shop, service)
  expect(found).toEqual([
    'break-refused search: A request without q was accepted (200); the contract requires it.',
  ])
})

test('finds a required header that is not enforced', async () => {
  const service = blindTo(createShop(), '/orders', (it) =>
    withHeader(it, 'idempotency-key', crypto.randomUUID()),
  )
  const { found } = await judged(shop, service)
  expect(found).toEqual([
    'break-refused order: A request without Idempotency-Key was accepted (201); the contract requires it.',
  ])
})

test('finds a query parameter that is not validated', async () => {
  const service = blindTo(createShop(), '/search', (request) => {
    const url = new URL(request.url)
    if (url.searchParams.getAll('size').length < 2) url.searchParams.delete('size')
    return new Request(url, request)
  })
  const { brokenRules } = await judged(shop, service)
  expect(brokenRules).toEqual(['break-refused search'])
})

test('finds a refused edge value of a query parameter', async () => {
  const right = createShop()
  const service: Service = async (request) => {
    const isEdge = new URL(request.url).searchParams.get('size') === '50'
    return isEdge ? json(400, { error: 'too many' }) : right(request)
  }
  const { brokenRules } = await judged(shop, service)
  expect(brokenRules).toEqual(['boundary-accepted search'])
})

test.each([
  ['refused', { type: 'string', example: 'bread', minLength: 0, maxLength: 9 }, 400, 'boundary-accepted'],
  ['accepted', { type: 'string', example: 'bread', minLength: 1 }, 200, 'break-refused'],
])('reports an empty parameter that is %s as a deviation', async (_, schema, status, rule) => {
  const q = { name: 'q', in: 'query', schema }
  const contract = contractOf({
    '/found': { get: { ...operation('find', { 200: response({}) }, 400), parameters: [q] } },
  })
  const right = createContractService(contract, { find: () => json(200, {}) })
  const service: Service = async (request) =>
    new URL(request.url).searchParams.get('q') === '' ? json(status, { error: 'q is empty' }) : right(request)
  const { brokenRules, kinds } = await judged(contract, service, { only: [rule] })
  expect({ brokenRules, kinds }).toEqual({ brokenRules: [`${rule} find`], kinds: ['deviation'] })
})

test('finds a refused path value', async () => {
  const { brokenRules } = await judged(shop, createShop({ year: () => json(400, { error: 'not so' }) }))
  expect(brokenRules).toEqual(['example-accepted year'])
})

const odd: readonly [string, string, object, string][] = [
  [
    'a value of a media type',
    '/odd',
    { name: 'q', in: 'query', required: true, content: { 'text/csv': {} } },
    'no value of its required "q" is known',
  ],
  [
    'a value of no schema',
    '/odd',
    { name: 'q', in: 'query', required: true, content: { 'application/json': {} } },
    'no value of its required "q" is known',
  ],
  [
    'a path of a style',
    '/odd/{id}',
    { name: 'id', in: 'path', required: true, style: 'matrix', schema: { type: 'string' } },
    'its path parameter "id" has an unsupported style',
  ],
  [
    'an impossible value',
    '/odd',
    { name: 'q', in: 'query', required: true, schema: { type: 'string', minLength: 2, maxLength: 1 } },
    'no value of its required "q" is known',
  ],
]

test.each(odd)('does not send %s that it cannot encode, and says so', async (_, path, parameter, why) => {
  const contract = contractOf({
    [path]: {
      get: { operationId: 'odd', parameters: [parameter], responses: statuses({ 200: response({}) }, 400) },
    },
  })
  const { found, rule } = await judged(contract, createContractService(contract, {}), {
    only: ['example-accepted', 'random', 'http'],
  })
  expect(found).toEqual([])
  expect(rule('example-accepted')?.reason).toBe(`not sent: ${why}`)
})
