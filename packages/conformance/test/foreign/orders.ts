import type { Service } from '../in-process-transport.ts'
import { body, errors, object, parameter, responseOf } from './todos-contract.ts'

const TEXT = { type: 'string', minLength: 1, maxLength: 40 }
const CUSTOMER = object({ name: TEXT, city: TEXT })
const LINE = object({ id: TEXT, quantity: { type: 'integer', minimum: 1, maximum: 9 } })
const NEW = object({
  customer: CUSTOMER,
  due_at: { type: 'string', format: 'date-time' },
  lines: { type: 'array', items: LINE, minItems: 1, maxItems: 5 },
})
const EXAMPLE = {
  customer: { name: 'Fulano de Tal', city: 'Recife' },
  due_at: '2026-03-01T12:00:05Z',
  lines: [
    { id: 'bread', quantity: 2 },
    { id: 'bread', quantity: 1 },
  ],
}

/** A contract of orders: ids with a custom name, nested fields, times, and lists of line items. */
export const orders = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1.0.0' },
  security: [{ token: [] }],
  paths: {
    '/orders': {
      get: { operationId: 'orders', responses: { 200: responseOf('Orders'), ...errors(401) } },
      post: {
        operationId: 'addOrder',
        requestBody: body('NewOrder', EXAMPLE),
        responses: { 201: responseOf('Order'), ...errors(400, 401, 415) },
      },
    },
    '/orders/{orderId}': {
      parameters: [{ ...parameter('orderId', 'path'), schema: { type: 'integer' }, example: 1 }],
      get: { operationId: 'showOrder', responses: { 200: responseOf('Order'), ...errors(400, 401, 404) } },
      patch: {
        operationId: 'changeOrder',
        requestBody: body('OrderChange', {
          customer: { name: 'Beltrana de Tal', city: 'Olinda' },
          due_at: '2026-04-01T12:00:05Z',
        }),
        responses: { 200: responseOf('Order'), ...errors(400, 401, 404, 415) },
      },
      delete: {
        operationId: 'removeOrder',
        responses: { 204: { description: 'Removed.' }, ...errors(400, 401, 404) },
      },
    },
    '/export': {
      get: {
        operationId: 'exportOrders',
        responses: {
          200: {
            description: 'A line for each.',
            content: { 'application/x-ndjson': { schema: { type: 'string' } } },
          },
          ...errors(401),
        },
      },
    },
  },
  components: {
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    schemas: {
      NewOrder: NEW,
      OrderChange: object({ customer: CUSTOMER, due_at: NEW.properties.due_at }),
      Order: object({ orderId: { type: 'integer' }, views: { type: 'integer' }, ...NEW.properties }),
      Orders: object({
        total: { type: 'integer' },
        orders: { type: 'array', items: { $ref: '#/components/schemas/Order' } },
      }),
      Error: object({ error: { type: 'string' } }),
    },
  },
}

/** The same time in the time zone of Recife, if it can be written so. */
function inRecife(moment: string): string {
  const at = new Date(Date.parse(moment) - 3 * 3_600_000)
  const text = Number.isNaN(at.getTime()) ? '' : at.toISOString()
  return /^\d{4}-/.test(text) ? text.replace('Z', '-03:00') : moment
}

/** The known fields of a line item. Others are dropped. */
function known({ id, quantity }: Row): Row {
  return { id, quantity }
}

type Row = Record<string, unknown>

/** Shows generic rows as orders. */
export function showingOrders(rows: Service): Service {
  let views = 0

  /** Fields come in another order each time, and each read changes a counter. */
  function shown({ id, customer, due_at, lines }: Row): Row {
    views++
    const { name, city } = customer as Row
    const turned = views % 2 === 0 ? { name, city } : { city, name }
    return {
      lines: (lines as Row[]).map(known),
      views,
      orderId: id,
      customer: turned,
      due_at: inRecife(String(due_at)),
    }
  }

  return async (request) => {
    const { pathname } = new URL(request.url)
    const response = await rows(request)
    if (!response.ok || response.status === 204) return response
    const made = (await response.json()) as Row | readonly Row[]
    if (!Array.isArray(made)) return Response.json(shown(made as Row), response)
    const list = made.map(shown)
    if (pathname !== '/export') return Response.json({ total: list.length, orders: list })
    const text = [{ format: 1 }, ...list].map((it) => JSON.stringify(it)).join('\n')
    return new Response(text, { headers: { 'content-type': 'application/x-ndjson' } })
  }
}
