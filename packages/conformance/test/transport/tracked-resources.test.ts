import contractDocument from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { readContract } from '../../src/model/contract.ts'
import type { Exchange } from '../../src/model/exchange.ts'
import {
  createTrackedResources,
  MAX_AT_A_TIME,
  MAX_IN_ALL,
  type TrackedResources,
} from '../../src/transport/tracked-resources.ts'

const contract = readContract(contractDocument)
const AT = '/mobile-bff/v1/partner/webhook'

function exchangeOf(operation: string, status: number, body: unknown): Exchange {
  const view = contract.operation(operation)
  const request = { method: view.method, path: view.path, headers: {}, body: undefined }
  return { view, input: {}, request, response: { status, headers: {}, text: '', ms: 0 }, body }
}

test('tracks the paths of a created resource, and no others', () => {
  const made = createTrackedResources(contract)
  made.see(exchangeOf('createWebhook', 201, { id: 'mine' }))
  const own = [`${AT}/mine`, `${AT}/mine/`, `${AT}/mine/secret`, `${AT}/mine?x=1`]
  expect(own.filter((path) => !made.isOwn(path))).toEqual([])
  const others = [AT, `${AT}/`, `${AT}/others`, `${AT}/mine2`, `${AT}/mine/other`]
  expect(others.filter((path) => made.isOwn(path))).toEqual([])
})

test('does not track refused creations and listed records', () => {
  const made = createTrackedResources(contract)
  made.see(exchangeOf('createWebhook', 409, { id: 'theirs' }))
  made.see(exchangeOf('listWebhooks', 200, { data: [{ id: 'theirs' }] }))
  expect(made.isOwn(`${AT}/theirs`)).toBe(false)
})

test.each(['', '.', '..', undefined, null, {}])('does not track a record with the id %j', (id) => {
  const made = createTrackedResources(contract)
  made.see(exchangeOf('createWebhook', 201, { id }))
  expect([AT, `${AT}/`, `${AT}/.`, `${AT}/..`, `${AT}/${id}`].filter((path) => made.isOwn(path))).toEqual([])
})

/** Creates a webhook with this response if the limit allows it, and returns whether it did. */
function creating(made: TrackedResources, status: number, id: string): boolean {
  const exchange = exchangeOf('createWebhook', status, { id })
  const isAllowed = made.begin(contract.operation('createWebhook'), exchange.request)
  if (isAllowed) made.see(exchange)
  return isAllowed
}

function deleting(made: TrackedResources, id: string): void {
  const exchange = exchangeOf('deleteWebhook', 204, undefined)
  made.see({ ...exchange, request: { ...exchange.request, path: `${AT}/${id}` } })
}

test('limits the number of existing records', () => {
  const made = createTrackedResources(contract)
  for (let i = 0; i < MAX_AT_A_TIME; i++) expect(creating(made, 201, `r${i}`)).toBe(true)
  expect(creating(made, 201, 'more')).toBe(false)
  expect(made.begin(contract.operation('listWebhooks'), exchangeOf('listWebhooks', 200, {}).request)).toBe(
    true,
  )
  deleting(made, 'r7')
  expect([creating(made, 201, 'again'), creating(made, 201, 'more')]).toEqual([true, false])
})

test('counts pending creations', () => {
  const made = createTrackedResources(contract)
  const begin = () =>
    made.begin(contract.operation('createWebhook'), exchangeOf('createWebhook', 0, undefined).request)
  const begun = Array.from({ length: MAX_AT_A_TIME + 1 }, begin)
  expect(begun.filter((it) => it)).toHaveLength(MAX_AT_A_TIME)
})

test('limits the number of all creations, without the refused ones', () => {
  const made = createTrackedResources(contract)
  for (let i = 0; i < MAX_IN_ALL * 2; i++) expect(creating(made, 400, '')).toBe(true)
  let count = 0
  for (; count < MAX_IN_ALL * 2 && creating(made, 201, `r${count}`); count++) deleting(made, `r${count}`)
  expect(count).toBe(MAX_IN_ALL)
})
