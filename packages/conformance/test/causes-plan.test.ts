import { expect, test } from 'vitest'
import { fieldsOf, stringAt, valueAt } from '../src/contract/json.ts'
import { causes } from '../src/plans/causes.ts'
import { lifecycles } from '../src/plans/lifecycles.ts'
import { requestsOf } from './plan-context.ts'

test('it sends a past due date with nothing else that depends on dates', async () => {
  const sent = await requestsOf(causes)
  const bodies = sent
    .filter(({ id }) => id === 'createDueDateQrCode')
    .map(({ input }) => input.body)
  const past = bodies.filter((body) => (stringAt(body, '/calendar/due_date') ?? '9') < '2026-12-01')
  expect(past).toHaveLength(2)
  expect(past.every((body) => valueAt(body, '/amount/discount') === undefined)).toBe(true)
})

test('it sends a transfer of an unknown type, and one without a type', async () => {
  const sent = await requestsOf(causes)
  const variants = sent.filter(({ input }) => input.intent?.edit === '/type')
  expect(variants.map(({ input }) => fieldsOf(input.body).type)).toEqual(['other', undefined])
})

test('it pays the initiation of a key with another key that the service accepts', async () => {
  const sent = await requestsOf(causes)
  const variants = sent.filter(({ input }) => input.intent?.edit === '/dict_key')
  const ofTransfers = variants.filter(({ id }) => id === 'createTransfer')
  expect(ofTransfers.map(({ input }) => fieldsOf(input.body).dict_key)).toContain('11222333000181')
})

test('it looks up each of the first users, the first one twice, and one that is nobody', async () => {
  const sent = await requestsOf(lifecycles)
  const looked = sent.filter(({ id }) => id === 'getUser').map(({ input }) => input.path?.user_id)
  expect(looked).toEqual(['user 1', 'user 2', 'user 1', expect.stringMatching(/^[\da-f-]{36}$/)])
})

test('it creates a static code with each key of a user, if it may look for them', async () => {
  const sent = await requestsOf(lifecycles, { maySearch: true })
  const byCustomer = sent.filter(
    ({ id, input }) => id === 'createStaticQrCode' && input.by === 'customer',
  )
  const keys = byCustomer.map(({ input }) => fieldsOf(input.body).dict_key)
  expect(keys).toEqual(['12345678909'])
})
