import { expect, test } from 'vitest'
import { judged } from './check-service.ts'
import {
  type Asked,
  bodyOf,
  contractOf,
  createContractService,
  type Handlers,
  json,
  object,
  operation,
  response,
  statuses,
  taking,
} from './contract-service.ts'

const text = { type: 'string', minLength: 1, maxLength: 20 }
const owner = { name: 'owner', in: 'path', required: true, schema: text, example: 'fulano' }
const id = { name: 'id', in: 'path', required: true, schema: text }
const item = object({ id: text, name: text })

const links = {
  byHeader: {
    operationId: 'showItem',
    parameters: { owner: '$request.path.owner', 'path.id': '$response.header.X-Item' },
  },
  audit: {
    operationRef: '#/paths/~1audit/get',
    parameters: { about: '$response.body#/id', 'query.kind': '$request.query.kind', source: 'test' },
  },
  like: { operationId: 'addLike', requestBody: { item: '$response.body#/id', name: '$request.body#/name' } },
  copy: { operationId: 'addCopy', requestBody: '$response.body' },
  // None of these links can be followed.
  unknown: { operationId: 'removeItem', parameters: { owner: 'fulano', id: '$response.body.id' } },
  missing: { operationId: 'missing', parameters: { id: '$response.body#/id' } },
}

const items = contractOf({
  '/{owner}/items': {
    post: {
      operationId: 'addItem',
      parameters: [owner, { name: 'kind', in: 'query', required: true, schema: { enum: ['plain'] } }],
      requestBody: bodyOf(object({ name: text }), { name: 'Bread' }),
      responses: statuses({ 201: response(item, { links }) }, 400, 404, 415),
    },
  },
  '/{owner}/items/{id}': {
    parameters: [owner, id],
    get: operation('showItem', { 200: response(item) }, 400, 404),
    delete: operation('removeItem', { 204: { description: 'Gone.' } }, 400, 404),
  },
  '/audit': {
    get: {
      parameters: [
        { name: 'about', in: 'query', required: true, schema: text },
        { name: 'kind', in: 'query', schema: text },
        { name: 'source', in: 'header', required: true, schema: text },
      ],
      responses: statuses({ 200: response(object({ about: text })) }, 400, 404),
    },
  },
  '/likes': {
    post: taking(
      bodyOf(object({ item: text, name: text }), { item: '0', name: 'x' }),
      'addLike',
      { 201: response(item) },
      400,
      404,
      415,
    ),
  },
  '/copies': {
    post: taking(bodyOf(item, { id: '0', name: 'x' }), 'addCopy', { 201: response(item) }, 400, 404, 415),
  },
  '/queue': {
    get: operation('queue', {
      200: response(
        { type: 'object', properties: { next: text } },
        { links: { next: { operationId: 'queued', parameters: { id: '$response.body#/next' } } } },
      ),
    }),
  },
  '/queue/{id}': {
    get: { operationId: 'queued', parameters: [id], responses: statuses({ 200: response(item) }, 400, 404) },
  },
})

function itemService(changes: Handlers = {}, next?: string) {
  const rows = new Map<string, { id: string; name: unknown }>()
  let last = 0
  const none = () => json(404, { error: 'none' })
  const known = (id: unknown, made: () => Response) => (rows.has(String(id)) ? made() : none())
  const owned = ({ owner, id }: Asked['path'], made: () => Response) =>
    owner === 'fulano' ? known(id, made) : none()
  return createContractService(items, {
    addItem({ body, path }) {
      if (path.owner !== 'fulano') return none()
      const row = { id: `fulano_${++last}`, name: body.name }
      rows.set(row.id, row)
      return json(201, row, { 'x-item': row.id })
    },
    showItem: ({ path }) => owned(path, () => json(200, rows.get(path.id ?? ''))),
    removeItem: ({ path }) => owned(path, () => new Response(null, { status: 204 })),
    'GET /audit': ({ query }) => known(query.get('about'), () => json(200, { about: query.get('about') })),
    addLike: ({ body }) => known(body.item, () => json(201, { id: '1', name: body.name })),
    addCopy: ({ body: { id, name } }) => known(id, () => json(201, { id, name })),
    queue: () => json(200, { next }),
    queued: ({ path }) => (path.id === next ? json(200, { id: next, name: 'Next' }) : none()),
    ...changes,
  })
}

test('reads the value of a link from any place of a response', async () => {
  const { found, unseen, lines, coverage } = await judged(items, itemService())
  expect({ found, unseen }).toEqual({ found: [], unseen: ['removeItem', 'queued'] })
  expect(coverage.links.filter(({ followed }) => followed > 0).length).toBe(4)
  expect(lines).toContainEqual(expect.stringMatching(/^GET \/audit\?(.*&)?about=fulano_\d+/))
  const paths = lines.map((it) => it.split('?')[0])
  expect(paths.filter((it) => it?.includes('undefined'))).toEqual([])
})

test('follows a link as soon as its value is available', async () => {
  const { found, unseen } = await judged(items, itemService({}, 'q1'))
  expect({ found, unseen }).toEqual({ found: [], unseen: ['removeItem'] })
})

test.each([
  ['showItem', 'links-followed showItem'],
  ['addLike', 'links-followed addLike'],
  ['addCopy', 'links-followed addCopy'],
])('finds that what a link makes for %s is refused', async (operation, broken) => {
  const { brokenRules } = await judged(items, itemService({ [operation]: () => json(400, { error: 'no' }) }))
  expect(brokenRules).toContain(broken)
})
