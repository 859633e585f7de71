import { expect, it } from 'vitest'
import { type Operation, readContract } from '../src/index.ts'

const json = (schema: object, examples = {}) => ({
  content: { 'application/json': { schema, examples } },
})
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const scalar = { type: 'string' }
const problem = { value: { $ref: '#/components/examples/taken' } }
const bookId = { name: 'book_id', in: 'path', required: true, schema: scalar, example: 'b1' }

const document = {
  security: [{ bearer: [] }],
  paths: {
    '/books': {
      post: {
        operationId: 'createBook',
        tags: ['books'],
        'x-effect': 'once',
        'x-essential': ['/book/isbn'],
        requestBody: json(ref('Book')),
        responses: {
          201: json(ref('NewBook')),
          409: json({}, { taken: { $ref: '#/components/examples/taken' }, problem }),
        },
      },
      get: {
        operationId: 'listBooks',
        tags: ['books'],
        'x-effect': 'read',
        responses: { 200: json({ properties: { books: { type: 'array', items: ref('Book') } } }) },
      },
    },
    '/shops/{shop_id}/books/{book_id}': {
      parameters: [{ ...bookId, name: 'shop_id' }, { $ref: '#/components/parameters/BookId' }],
      get: { operationId: 'getBook', tags: ['books'], responses: { 200: json(ref('Book')) } },
      put: {
        operationId: 'lendBook',
        tags: ['books'],
        responses: { 200: json(ref('Loan')) },
      },
    },
    '/sales': {
      post: {
        operationId: 'sellBook',
        tags: ['sales'],
        security: [{ basic: [] }],
        requestBody: json({}),
        responses: { 204: {} },
      },
    },
  },
  webhooks: {
    'book.lent': {
      post: { operationId: 'onBookLent', tags: ['books'], requestBody: json(ref('Book')) },
    },
  },
  components: {
    parameters: { BookId: bookId },
    examples: { taken: { summary: 'Taken', value: { code: 'isbn_taken' } } },
    schemas: {
      Book: { properties: { id: scalar, isbn: scalar, state: scalar, tags: { type: 'array' } } },
      NewBook: { properties: { book: ref('Book'), secret: scalar, copies: { type: 'integer' } } },
      Loan: { properties: { access_token: scalar, until: scalar, days: { type: 'integer' } } },
    },
  },
}

const guide = {
  security: [{ bearer: [] }],
  paths: {
    '/b': {
      get: {
        operationId: 'guideListBooks',
        'x-alias-of': 'listBooks',
        tags: ['books'],
        responses: { 200: json({ properties: { books: { items: ref('Book') } } }) },
      },
    },
  },
  components: document.components,
}

const behaviour = {
  resources: {
    book: {
      tag: 'books',
      id: '/id',
      status: '/state',
      records: { NewBook: '/book' },
      operations: { create: 'createBook', list: 'listBooks', read: 'getBook', lend: 'lendBook' },
    },
  },
  actions: { sales: { operations: { sell: 'sellBook' } } },
  lists: { listBooks: { items: '/books', pages: {} } },
  permissions: { own: { tokens: ['partner' as const], operations: ['listBooks'] } },
  events: { 'book.lent': { resource: ['book'], subscribers: ['all'] } },
}

const contract = readContract({ document, guide, behaviour })
const row = (id: string) => contract.operations.find((one) => one.id === id) as Operation

it('has a row for each operation and each short path', () => {
  const calls = contract.operations.map(({ id, tag, resource, role, name }) =>
    [id, tag, resource, role, name].join(' '),
  )
  expect(calls).toEqual([
    'createBook books book create create',
    'listBooks books book list list',
    'getBook books book read get',
    'lendBook books book lend lend',
    'sellBook sales  sell sell',
    'guideListBooks books book list list',
  ])
  expect(row('guideListBooks')).toMatchObject({ aliasOf: 'listBooks', document: guide })
  expect(row('listBooks').aliasOf).toBeUndefined()
})

it('names the methods of a variant', () => {
  const { book } = behaviour.resources
  const ofVariant = { ...behaviour, resources: { book: { ...book, variant: 'Used' } } }
  const { operations } = readContract({ document, behaviour: ofVariant })
  const names = operations.filter(({ resource }) => resource === 'book').map(({ name }) => name)
  expect(names).toEqual(['createUsed', 'listUsed', 'getUsed', 'lendUsed'])
})

it('gives an operation that a changed copy adds its id as role', () => {
  const { resources: _, ...others } = behaviour
  const { operations } = readContract({ document, behaviour: others })
  expect(operations[0]).toMatchObject({ role: 'createBook', name: 'createBook', record: undefined })
})

it('resolves parameters, bodies, examples and codes', () => {
  const { parameters, method, path } = row('getBook')
  expect({ method, path }).toEqual({ method: 'GET', path: '/shops/{shop_id}/books/{book_id}' })
  expect(parameters).toMatchObject([
    { name: 'shop_id', in: 'path', isRequired: true, example: 'b1' },
    { name: 'book_id', in: 'path', isRequired: true, example: 'b1' },
  ])
  const { request, responses, success, status } = row('createBook')
  expect(request?.name).toBe('Book')
  expect(success).toMatchObject({ status: '201', body: { name: 'NewBook' }, codes: [] })
  expect(status).toBe(201)
  expect(responses[1]).toMatchObject({
    codes: ['isbn_taken'],
    body: { examples: [{ name: 'taken', summary: 'Taken' }, { name: 'problem' }] },
  })
})

it('says where a response shows records, and nothing if it shows none', () => {
  expect(row('createBook').record).toEqual({ pointer: '/book', isList: false, id: '/id' })
  expect(row('listBooks').record).toEqual({ pointer: '/books', isList: true, id: '/id' })
  expect(row('getBook').record).toEqual({ pointer: '', isList: false, id: '/id' })
  expect(row('lendBook').record).toBeUndefined()
  expect(row('sellBook').record).toBeUndefined()
})

it('takes the id in a path from the creation of the record, unless a link says otherwise', () => {
  const created = {
    from: 'createBook',
    values: [{ name: 'book_id', in: 'path', side: 'response', pointer: '/book/id' }],
    isLinked: false,
  }
  expect(row('lendBook').origins).toEqual([created])

  const copy = structuredClone(document)
  const parameters = { book_id: '$response.body#/books/0/id', shop_id: 'main' }
  Object.assign(copy.paths['/books'].get.responses[200], {
    links: { lend: { operationId: 'lendBook', parameters } },
  })
  const { operations } = readContract({ document: copy, behaviour })
  const lend = operations.find(({ id }) => id === 'lendBook')
  expect(lend?.origins[0]).toEqual({
    from: 'listBooks',
    values: [{ name: 'book_id', in: 'path', side: 'response', pointer: '/books/0/id' }],
    isLinked: true,
  })
})

it('knows whose token an operation takes', () => {
  expect(row('sellBook')).toMatchObject({ scheme: 'basic', tokens: [] })
  expect(row('listBooks')).toMatchObject({ scheme: 'bearer', tokens: ['partner'] })
  expect(row('guideListBooks').tokens).toEqual(['partner'])
  expect(row('getBook').tokens).toEqual(['partner', 'customer'])
})

it('prints essential fields first, then those of the record, and never a secret', () => {
  expect(row('createBook').printed).toEqual(['/book/isbn', '/book/state'])
  expect(row('listBooks').printed).toEqual(['/state', '/id'])
  expect(row('lendBook').printed).toEqual(['/until', '/days'])
  expect(row('sellBook').printed).toEqual([])
})

it('has the events with their subscribers', () => {
  expect(contract.events).toMatchObject([
    { path: 'book.lent', id: 'onBookLent', resources: ['book'], subscribers: ['all'] },
  ])
})
