import { expect, test } from 'vitest'
import type { Service } from '../in-process-transport.ts'
import { judged } from './check-service.ts'
import {
  bodyOf,
  contractOf,
  createContractService,
  json,
  object,
  operation,
  response,
  taking,
} from './contract-service.ts'

const user = object({ name: { type: 'string' } })
const shown = { 200: response(user) }
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }

/** Routes by method and path pattern, as a router does. */
function served(lines: Readonly<Record<string, RegExp>>): Service {
  return async ({ method, url }) => {
    const { pathname } = new URL(url)
    const allowed = Object.keys(lines).filter((it) => lines[it]?.test(pathname))
    if (allowed.length === 0) return json(404, { error: 'there is no such path' })
    if (allowed.includes(method)) return json(200, { name: 'Ana' })
    return json(405, { error: 'not so' }, { allow: allowed.join(', ') })
  }
}

test('accepts a method that another path of the same shape has', async () => {
  const users = contractOf({
    '/users/me': { get: operation('showMe', shown) },
    '/users/{id}': { parameters: [id], delete: operation('removeUser', shown) },
  })
  const lines = { GET: /^\/users\/me$/, DELETE: /^\/users\/[^/]+$/ }
  const { found, rule } = await judged(users, served(lines), { only: ['method-not-allowed'] })
  expect(found).toEqual([])
  expect(rule('method-not-allowed').status).toBe('passed')
  const wrong = await judged(users, served({ ...lines, PUT: /./ }), { only: ['method-not-allowed'] })
  expect(wrong.brokenRules).toEqual(['method-not-allowed removeUser', 'method-not-allowed showMe'])
})

test('does not test an operation whose path is ambiguous', async () => {
  const tokens = contractOf({
    '/charges/{id}': { parameters: [id], get: operation('showCharge', shown) },
    '/charges/{token}': {
      parameters: [{ ...id, name: 'token' }],
      get: operation('showByToken', { 200: response({ type: 'string' }) }),
      delete: operation('removeByToken', shown),
    },
  })
  const line = /^\/charges\/[^/]+$/
  const { found, unseen } = await judged(tokens, served({ GET: line, DELETE: line }))
  expect({ found, unseen }).toEqual({ found: [], unseen: ['showCharge', 'showByToken'] })
})

test('neither sends nor mutates read-only properties', async () => {
  const named = { type: 'string', minLength: 1, maxLength: 20 }
  const note = object({ id: { $ref: '#/components/schemas/Id' }, text: named })
  const notes = contractOf(
    { '/notes': { post: taking(bodyOf(note), 'addNote', { 201: response(note) }, 400, 415) } },
    {
      schemas: {
        Id: { type: 'string', format: 'uuid', readOnly: true },
        Error: object({ error: { type: 'string' } }),
      },
    },
  )
  const { id: _, ...sent } = note.properties
  const taker = createContractService(
    contractOf({ '/notes': { post: { operationId: 'addNote', requestBody: bodyOf(object(sent)) } } }),
    { addNote: ({ body }) => json(201, { text: body.text, id: '00000000-0000-4000-8000-000000000000' }) },
  )
  const { found, unseen, sent: requests } = await judged(notes, taker)
  expect({ found, unseen }).toEqual({ found: [], unseen: [] })
  const bodies = await Promise.all(requests.filter(({ method }) => method === 'POST').map((it) => it.text()))
  expect(bodies.filter((it) => it.includes('"id"'))).toEqual([])
  expect(bodies).toContain('{"text":""}')
})

test('sends no example that violates its own schema, and reports no failure for it', async () => {
  const named = object({ name: { type: 'string', maxLength: 5 } })
  const content = {
    schema: named,
    examples: { long: { value: { name: 'Beltrana' } }, right: { value: { name: 'Ana' } } },
  }
  const pets = contractOf({
    '/pets': {
      post: taking(
        { required: true, content: { 'application/json': content } },
        'addPet',
        { 201: response(named) },
        400,
        415,
      ),
    },
  })
  const service = createContractService(pets, { addPet: ({ body }) => json(201, { name: body.name }) })
  const { found, rule } = await judged(pets, service, { only: ['example-accepted', 'break-refused'] })
  expect(found).toEqual([])
  expect(rule('example-accepted')).toMatchObject({ status: 'passed', inconclusive: 1 })
  expect(rule('break-refused').inconclusive).toBe(0)
})

test('generates only objects for a schema with properties and no type', async () => {
  const untyped = { properties: { name: { type: 'string', maxLength: 5 } } }
  const pets = contractOf({
    '/pets': { post: taking(bodyOf(untyped), 'addPet', { 201: response(untyped) }, 400, 415) },
  })
  const service = createContractService(pets, { addPet: ({ body }) => json(201, body) })
  const picky: Service = async (request) =>
    /^(\{|$)/.test(await request.clone().text()) ? service(request) : json(400, { error: 'not in this form' })
  const { found } = await judged(pets, picky, { only: ['random-requests', 'boundary-accepted'] })
  expect(found).toEqual([])
})

test('uses no id of a response that the path parameter does not allow', async () => {
  const pet = object({ id: { type: 'string' }, name: { type: 'string' } })
  const uuid = { ...id, schema: { type: 'string', format: 'uuid' } }
  const pets = contractOf({
    '/pets': {
      post: taking(bodyOf(object({ name: { type: 'string' } })), 'addPet', { 201: response(pet) }, 400, 415),
    },
    '/pets/{id}': {
      parameters: [uuid],
      get: operation('showPet', { 200: response(pet) }, 400),
    },
  })
  const shownPet = () => json(200, { id: 'string', name: 'Rex' })
  const mock = createContractService(pets, {
    addPet: () => json(201, { id: 'string', name: 'Rex' }),
    showPet: shownPet,
  })
  const { found, unseen } = await judged(pets, mock, { target: 'mock' })
  expect({ found, unseen }).toEqual({ found: [], unseen: [] })
})

test('handles a record that is an image', async () => {
  const picture = object({ id: { type: 'string' } })
  const png = { description: 'The picture.', content: { 'image/png': {} } }
  const one = { parameters: [id] }
  const pictures = contractOf({
    '/pictures': {
      post: taking(
        bodyOf(object({ seed: { type: 'integer' } })),
        'addPicture',
        { 201: response(picture) },
        400,
        415,
      ),
    },
    '/pictures/{id}': {
      ...one,
      get: operation('showPicture', { 200: png }, 404),
      delete: operation('removePicture', { 204: { description: 'Gone.' } }, 404),
    },
  })
  const rows = new Set<string>()
  const service = createContractService(pictures, {
    addPicture() {
      const name = `p${rows.size}-${Math.random()}`
      rows.add(name)
      return json(201, { id: name })
    },
    showPicture: ({ path }) =>
      rows.has(path.id ?? '')
        ? new Response('PNG', { headers: { 'content-type': 'image/png' } })
        : json(404, { error: 'none' }),
    removePicture: ({ path }) =>
      rows.delete(path.id ?? '') ? new Response(null, { status: 204 }) : json(404, { error: 'none' }),
  })
  const { found, unseen } = await judged(pictures, service)
  expect({ found, unseen }).toEqual({ found: [], unseen: [] })
})

test('tests neither time nor state on a mock, and nothing that the contract does not say', async () => {
  const when = { type: 'string', format: 'date-time' }
  const row = object({ id: { type: 'string' }, created_at: when, updated_at: when })
  const log = contractOf({
    '/rows': {
      get: operation('rows', { 200: response({ type: 'array', items: row }) }),
      post: operation('addRow', { 201: response(row) }),
    },
  })
  const old = { id: 'a', created_at: '2019-08-24T14:15:22Z', updated_at: '2018-08-24T14:15:22Z' }
  const service = createContractService(log, {
    rows: () => json(200, [old, old]),
    addRow: () => json(201, old),
  })
  const only = ['timestamps-ordered', 'listed-once', 'example-accepted']
  expect((await judged(log, service, { target: 'mock', only })).found).toEqual([])
  const { brokenRules, kinds } = await judged(log, service, { only })
  expect(brokenRules).toContain('listed-once rows')
  expect(kinds).toEqual(['deviation'])
})

test('reports once that null is accepted as a body', async () => {
  const named = object({ name: { type: 'string', maxLength: 5 } })
  const pets = contractOf({
    '/pets': { post: taking(bodyOf(named), 'addPet', { 201: response(named) }, 400, 415) },
  })
  const service = createContractService(pets, { addPet: () => json(201, { name: 'Ana' }) })
  const lenient: Service = async (request) =>
    (await request.clone().text()) === 'null' ? json(201, { name: 'Ana' }) : service(request)
  const { found } = await judged(pets, lenient)
  expect(found).toEqual([expect.stringMatching(/^break-refused addPet: .* body is null /)])
})

test('sends unusual fields in an object without properties', async () => {
  const pets = contractOf({
    '/pets': { post: taking(bodyOf(object({})), 'addPet', { 201: response({}) }, 400, 415) },
  })
  const { sent } = await judged(pets, createContractService(pets, { addPet: () => json(201, {}) }), {
    only: ['no-server-error'],
  })
  const bodies = await Promise.all(sent.map((it) => it.text()))
  expect(bodies.filter((it) => it.includes('x_huge'))).toEqual(['{"x_huge": 1e400}'])
})
