import { afterAll, beforeAll, expect, test } from 'vitest'
import { check } from '../src/engine/check.ts'
import { listen } from './faulty/listen.ts'
import { openWorld } from './faulty/world.ts'
import { type Service, startService } from './service.ts'

let service: Service
const credentials = { clientKey: 'partner', clientSecret: 'secret' }

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

test('what was not reached is interrupted, and nothing is masked for it', async () => {
  const controller = new AbortController()
  const { interrupted, laws } = await check({
    url: service.url,
    target: 'sandbox',
    credentials,
    operations: ['checkKey'],
    only: ['example-accepted', 'break-refused', 'malformed-json-refused'],
    signal: controller.signal,
    onProgress: () => controller.abort('that is enough'),
  })
  expect(interrupted).toBe('that is enough')
  const asked = laws.filter(({ reason }) => reason !== 'not asked for')
  expect(asked.map(({ law, status, reason, masked }) => [law, status, reason, masked])).toEqual([
    ['example-accepted', 'held', undefined, 0],
    ['break-refused', 'not-assessed', 'interrupted', 0],
    ['malformed-json-refused', 'not-assessed', 'interrupted', 0],
  ])
})

test('a run that came to its end was not interrupted', async () => {
  const result = await check({
    url: service.url,
    target: 'sandbox',
    credentials,
    operations: ['checkKey'],
    only: ['example-accepted'],
  })
  expect(result.interrupted).toBeUndefined()
})

test('tells for what cases were masked: operation, status, code, and how many', async () => {
  const { laws } = await check({
    url: service.url,
    target: 'sandbox',
    credentials,
    operations: ['createTransfer', 'checkKey'],
    only: ['break-refused'],
    values: { checkKey: { '/dict_key': 'nobody@example.com' } },
  })
  const { masked, maskedBy = [] } = laws.find(({ law }) => law === 'break-refused') ?? {}
  expect(maskedBy).toContainEqual({
    operation: 'checkKey',
    status: 404,
    code: 'not_found',
    count: expect.any(Number),
  })
  expect(maskedBy.reduce((sum, { count }) => sum + count, 0)).toBe(masked)
})

test('what waits for a delivery ends with the run, and what it made is removed', async () => {
  const world = await openWorld()
  world.relay = async () => 204
  const { url, close } = await listen(world.app.fetch)
  const controller = new AbortController()
  const { interrupted, left } = await check({
    url,
    target: 'sandbox',
    credentials,
    only: ['delivery-sent', 'delivery-silent-after-deletion'],
    deliveryWithinMs: 120_000,
    signal: controller.signal,
    onReached: () => setTimeout(() => controller.abort('that is enough'), 300),
  })
  expect({ interrupted, left }).toEqual({ interrupted: 'that is enough', left: [] })
  await close()
  await world.close()
})

test('a listener that throws ends the run with what it found, and what it made is removed', async () => {
  const { interrupted, laws, left } = await check({
    url: service.url,
    target: 'sandbox',
    credentials,
    operations: ['createWebhook'],
    only: ['example-accepted', 'break-refused'],
    onProgress: () => {
      throw new Error('nobody is there to be told')
    },
  })
  expect(interrupted).toBe('onProgress threw: nobody is there to be told')
  expect(laws.find(({ law }) => law === 'example-accepted')?.status).toBe('held')
  expect(laws.find(({ law }) => law === 'break-refused')?.reason).toBe('interrupted')
  expect(left).toEqual([])
})
