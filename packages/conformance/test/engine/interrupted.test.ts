import { afterAll, beforeAll, expect, test } from 'vitest'
import { check } from '../../src/check.ts'
import { listen } from '../faulty/listen.ts'
import { openTestSandbox } from '../faulty/sandbox.ts'
import { type Service, startService } from '../sandbox-proxy.ts'

let service: Service
const credentials = { clientKey: 'partner', clientSecret: 'secret' }

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

test('reports rules that were not reached as interrupted, not inconclusive', async () => {
  const controller = new AbortController()
  const { interrupted, rules } = await check({
    url: service.url,
    target: 'sandbox',
    credentials,
    operations: ['checkKey'],
    only: ['example-accepted', 'break-refused', 'body-format'],
    signal: controller.signal,
    onProgress: () => controller.abort('that is enough'),
  })
  expect(interrupted).toBe('that is enough')
  const asked = rules.filter(({ reason }) => reason !== 'not selected')
  expect(asked.map(({ rule, status, reason, inconclusive }) => [rule, status, reason, inconclusive])).toEqual(
    [
      ['example-accepted', 'passed', undefined, 0],
      ['break-refused', 'not-assessed', 'interrupted', 0],
      ['body-format', 'not-assessed', 'interrupted', 0],
    ],
  )
})

test('reports why cases were inconclusive: operation, status, code and count', async () => {
  const { rules } = await check({
    url: service.url,
    target: 'sandbox',
    credentials,
    operations: ['createTransfer', 'checkKey'],
    only: ['break-refused'],
    values: { checkKey: { '/dict_key': 'nobody@example.com' } },
  })
  const { inconclusive, inconclusiveBy = [] } = rules.find(({ rule }) => rule === 'break-refused') ?? {}
  expect(inconclusiveBy).toContainEqual({
    operation: 'checkKey',
    status: 404,
    code: 'not_found',
    count: expect.any(Number),
  })
  expect(inconclusiveBy.reduce((sum, { count }) => sum + count, 0)).toBe(inconclusive)
})

test('stops waiting for deliveries at the end of the run', async () => {
  const sandbox = await openTestSandbox()
  sandbox.relay = async () => 204
  const { url, close } = await listen(sandbox.app.fetch)
  const controller = new AbortController()
  const { interrupted } = await check({
    url,
    target: 'sandbox',
    credentials,
    only: ['deliveries-sent', 'deliveries-subscription'],
    deliveryWithinMs: 120_000,
    signal: controller.signal,
    onReached: () => setTimeout(() => controller.abort('that is enough'), 300),
  })
  expect(interrupted).toBe('that is enough')
  await close()
  await sandbox.close()
})

test('keeps findings and cleans up if a listener throws', async () => {
  const { interrupted, rules, leftovers } = await check({
    url: service.url,
    target: 'sandbox',
    credentials,
    operations: ['createWebhook'],
    only: ['example-accepted', 'break-refused'],
    onProgress: () => {
      throw new Error('the listener failed')
    },
  })
  expect(interrupted).toBe('onProgress threw: the listener failed')
  expect(rules.find(({ rule }) => rule === 'example-accepted')?.status).toBe('passed')
  expect(rules.find(({ rule }) => rule === 'break-refused')?.reason).toBe('interrupted')
  expect(leftovers).toEqual([])
})
