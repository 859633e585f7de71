import { randomUUID } from 'node:crypto'
import type { Service } from '../in-process-transport.ts'
import {
  bodyOf,
  contractOf,
  createContractService,
  type Handlers,
  json,
  object,
  response,
  statuses,
} from './contract-service.ts'

const text = { type: 'string', minLength: 1, maxLength: 60 }
const item = object({ id: { type: 'string' }, name: text })
const done = { 200: response({ type: 'array', items: item }) }

/** A contract whose requests need parameters. */
export const shop = contractOf({
  '/search': {
    // Parameters of the operation override those of the path.
    parameters: [
      { name: 'size', in: 'query', required: true, schema: { type: 'string', pattern: '^[SML]$' } },
    ],
    get: {
      operationId: 'search',
      parameters: [
        { name: 'q', in: 'query', required: true, schema: { type: 'string', minLength: 2, maxLength: 20 } },
        { name: 'size', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 50 } },
      ],
      responses: statuses(done, 400),
    },
  },
  '/filtered': {
    get: {
      operationId: 'filtered',
      parameters: [
        {
          name: 'tags',
          in: 'query',
          required: true,
          schema: { type: 'array', minItems: 2, items: { enum: ['new', 'old'] } },
          example: ['new', 'old'],
        },
        {
          name: 'sort',
          in: 'query',
          explode: false,
          schema: { type: 'array', items: { enum: ['name', 'id'] } },
        },
        {
          name: 'price',
          in: 'query',
          required: true,
          style: 'deepObject',
          schema: object({ from: { type: 'integer', minimum: 1 }, to: { type: 'integer', minimum: 1 } }),
        },
        {
          name: 'where',
          in: 'query',
          required: true,
          content: { 'application/json': { schema: object({ city: text }) } },
        },
        {
          name: 'session',
          in: 'cookie',
          required: true,
          schema: { type: 'string', pattern: '^s[0-9]+$' },
          example: 's1',
        },
        {
          name: 'X-Parts',
          in: 'header',
          required: true,
          schema: { type: 'array', items: { enum: ['a', 'b'] } },
          example: ['a', 'b'],
        },
      ],
      responses: statuses(done, 400),
    },
  },
  '/orders': {
    post: {
      operationId: 'order',
      parameters: [
        { name: 'Idempotency-Key', in: 'header', required: true, schema: { type: 'string', format: 'uuid' } },
        {
          name: 'Authorization',
          in: 'header',
          required: true,
          schema: { type: 'string', pattern: '^never$' },
        },
      ],
      requestBody: bodyOf(object({ name: text }), { name: 'Bread' }),
      responses: statuses({ 201: response(item) }, 400, 409, 415),
    },
  },
  '/years/{year}/{half}': {
    get: {
      operationId: 'year',
      parameters: [
        {
          name: 'year',
          in: 'path',
          required: true,
          schema: { type: 'integer', minimum: 2000, maximum: 2100 },
        },
        {
          name: 'half',
          in: 'path',
          required: true,
          schema: { type: 'string' },
          examples: { first: { value: 'h1' } },
        },
      ],
      responses: statuses(done, 400, 404),
    },
  },
})

/** A service of the shop contract. */
export function createShop(changes: Handlers = {}): Service {
  const orders = new Map<string, { body: string; made: unknown }>()
  const items = () => json(200, [{ id: '1', name: 'Bread' }])
  return createContractService(shop, {
    search: ({ query }) =>
      query.getAll('q').length > 1 || query.getAll('size').length > 1
        ? json(400, { error: 'once' })
        : items(),
    filtered: items,
    year: ({ path }) =>
      /^20\d\d$/.test(path.year ?? '') && path.half === 'h1' ? items() : json(404, { error: 'none' }),
    // A repeated idempotency key returns the same order.
    order({ request, body }) {
      const key = request.headers.get('idempotency-key') ?? ''
      const known = orders.get(key)
      if (known)
        return known.body === JSON.stringify(body) ? json(201, known.made) : json(409, { error: 'used' })
      const made = { id: randomUUID(), name: body.name }
      orders.set(key, { body: JSON.stringify(body), made })
      return json(201, made)
    },
    ...changes,
  })
}
