import contractDocument from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { readContract } from '../src/run/contract.ts'
import type { Exchange } from '../src/run/exchange.ts'
import { createMade } from '../src/run/made.ts'

const contract = readContract(contractDocument)
const AT = '/mobile-bff/v1/partner/webhook'

function answered(operation: string, status: number, body: unknown): Exchange {
  const view = contract.operation(operation)
  const call = { method: view.method, path: view.path, headers: {}, body: undefined }
  return { view, input: {}, call, reply: { status, headers: {}, text: '', ms: 0 }, body }
}

test('knows the paths of what a creation made, and of nothing else', () => {
  const made = createMade(contract)
  made.see(answered('createWebhook', 201, { id: 'mine' }))
  const own = [`${AT}/mine`, `${AT}/mine/`, `${AT}/mine/secret`, `${AT}/mine?x=1`]
  expect(own.filter((path) => !made.isOwn(path))).toEqual([])
  const others = [AT, `${AT}/`, `${AT}/others`, `${AT}/mine2`, `${AT}/mine/other`]
  expect(others.filter((path) => made.isOwn(path))).toEqual([])
})

test('takes nothing for its own that was refused, or that a list shows', () => {
  const made = createMade(contract)
  made.see(answered('createWebhook', 409, { id: 'theirs' }))
  made.see(answered('listWebhooks', 200, { data: [{ id: 'theirs' }] }))
  expect(made.isOwn(`${AT}/theirs`)).toBe(false)
})

test.each(['', '.', '..', undefined, null, {}])('takes no record for its own whose id is %j', (id) => {
  const made = createMade(contract)
  made.see(answered('createWebhook', 201, { id }))
  expect([AT, `${AT}/`, `${AT}/.`, `${AT}/..`, `${AT}/${id}`].filter((path) => made.isOwn(path))).toEqual([])
})
