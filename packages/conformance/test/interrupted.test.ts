import { afterAll, beforeAll, expect, test } from 'vitest'
import { check } from '../src/run/check.ts'
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
