import { sample } from '@partner-payments/campaign'
import { expect, test } from 'vitest'
import type { Service } from '../in-process-transport.ts'
import { foundIn, ownedTodos } from './check-todos.ts'
import { orders, showingOrders } from './orders.ts'

const right = () => showingOrders(ownedTodos(orders))

const PASSED = [
  'record-shown',
  'record-changes',
  'foreign-record-untouched',
  'foreign-list-hidden',
  'valid-json',
]

test('finds nothing in a service of orders, and assesses the rules about records', async () => {
  const { found, rule } = await foundIn({ contract: orders, service: right() })
  expect(found).toEqual([])
  expect(PASSED.filter((id) => rule(id).status !== 'passed')).toEqual([])
})

const FAULTS: readonly [string, string, (service: Service) => Service][] = [
  ['record-changes', 'showOrder', keeping('city')],
  ['record-changes', 'showOrder', keeping('due_at')],
  ['record-shown', 'addOrder', showing('POST', (order) => ({ ...order, due_at: '2026-03-01T12:00:06Z' }))],
  ['record-shown', 'orders', listing((items) => items.map((it) => ({ ...it, lines: [] })))],
  ['listed-once', 'orders', listing((items) => [...items, ...items])],
  ['record-changes', 'addOrder', addingAnyway],
  ['record-changes', 'changeOrder', changingAnyway],
  ['foreign-record-untouched', 'changeOrder', changingForAll],
]

test.each(sample(FAULTS, ([rule]) => rule))('%s finds its fault in %s', async (rule, operation, fault) => {
  const { found } = await foundIn({
    contract: orders,
    service: fault(right()),
    only: [rule, 'example-accepted'],
  })
  expect(found).toContainEqual(expect.stringContaining(`${rule} ${operation}:`))
})

type Body = Record<string, unknown>

/** Changes the order in successes of one method. */
function showing(method: string, change: (order: Body) => Body): (service: Service) => Service {
  return (service) => async (request) => {
    const response = await service(request)
    const isMeant = request.method === method && /\/orders(\/\d+)?$/.test(request.url) && response.ok
    return isMeant ? Response.json(change((await response.json()) as Body), response) : response
  }
}

function listing(change: (items: readonly Body[]) => readonly Body[]): (service: Service) => Service {
  return showing('GET', (body) =>
    Array.isArray(body.orders) ? { ...body, orders: change(body.orders) } : body,
  )
}

/** Shows an order as it was created, despite changes. */
function keeping(name: string): (service: Service) => Service {
  const old =
    name === 'city'
      ? (it: Body) => ({ customer: { ...(it.customer as Body), city: 'Recife' } })
      : () => ({ due_at: '2026-03-01T12:00:05Z' })
  return showing('GET', (body) => ('orderId' in body ? { ...body, ...old(body) } : body))
}

/** Stores a new order before refusing it. */
function addingAnyway(service: Service): Service {
  return async (request) => {
    const again = request.clone()
    const response = await service(request)
    if (request.method !== 'POST' || response.status !== 400) return response
    await service(new Request(again.url, { method: 'POST', headers: again.headers, body: RIGHT }))
    return response
  }
}

const RIGHT = JSON.stringify({
  customer: { name: 'Fulano de Tal', city: 'Recife' },
  due_at: '2026-03-01T12:00:05Z',
  lines: [{ id: 'bread', quantity: 2 }],
})

/** Stores a change before refusing it. */
function changingAnyway(service: Service): Service {
  return async (request) => {
    const { url, headers, method } = request
    const response = await service(request)
    if (method !== 'PATCH' || response.status !== 400) return response
    await service(new Request(url, { method, headers, body: OTHER }))
    return response
  }
}

const OTHER = JSON.stringify({
  customer: { name: 'Padaria Exemplo', city: 'Natal' },
  due_at: '2027-01-01T00:00:00Z',
})

/** Changes an order for any caller, but responds with a refusal. */
function changingForAll(service: Service): Service {
  const owners = new Map<string, string>()
  return async (request) => {
    const { pathname } = new URL(request.url)
    const authorization = request.headers.get('authorization') ?? ''
    const owner = owners.get(pathname)
    if (request.method === 'PATCH' && owner !== undefined && owner !== authorization) {
      const headers = { ...Object.fromEntries(request.headers), authorization: owner }
      await service(new Request(request.url, { method: 'PATCH', headers, body: OTHER }))
    }
    const response = await service(request)
    if (response.status === 201)
      owners.set(`/orders/${((await response.clone().json()) as Body).orderId}`, authorization)
    return response
  }
}
