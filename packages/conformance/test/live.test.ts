import { serve } from '@partner-payments/sandbox'
import { expect, onTestFinished, test } from 'vitest'
import { check } from '../src/check.ts'
import { created, credentials, expectSafe, madeBy, PAY, removedBy } from './live.ts'
import { startService } from './sandbox-proxy.ts'

test('sends no payment to a live service, and removes what it creates', () =>
  expectSafe({
    operations: ['createTransfer', 'createStaticQrCode', 'createWebhook', 'createImmediateQrCode'],
    only: ['valid requests', 'invalid requests', 'records', 'http'],
  }))

test('cleans up after an abort, and sends nothing else', async () => {
  const controller = new AbortController()
  const service = await startService()
  onTestFinished(() => service.close())
  let after = -1
  service.change = () => {
    if (after < 0 && created(service).length >= 10) {
      controller.abort()
      after = service.passed.length
    }
    return undefined
  }
  const result = await check({
    url: service.url,
    target: 'live',
    credentials,
    rate: 5_000,
    signal: controller.signal,
  })
  expect(created(service).length).toBeGreaterThanOrEqual(10)
  expect(removedBy(service).toSorted()).toEqual(madeBy(service).toSorted())
  // Requests in progress at the abort still arrive: one per connection, and one or two sign-ins.
  const others = service.passed.slice(after).filter(({ method }) => method !== 'DELETE')
  expect(others.length).toBeLessThanOrEqual(10)
  expect(result.requests).toBeLessThan(500)
})

test('pays no more than allowed', async () => {
  const sent: number[] = []
  const sandbox = await serve({ port: 0, limitsRates: false })
  onTestFinished(() => sandbox.close())
  const transport = {
    async send({
      method,
      path,
      headers,
      body,
    }: {
      method: string
      path: string
      headers: object
      body: string | undefined
    }) {
      if (method === 'POST' && path.startsWith(PAY)) sent.push(Number(JSON.parse(body ?? '{}').amount))
      const response = await sandbox.fetch(
        new Request(sandbox.url + path, {
          method,
          headers: headers as Record<string, string>,
          ...(body !== undefined && { body }),
        }),
      )
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text: await response.text(),
        ms: 0,
      }
    },
    close: async () => undefined,
  }
  const rules = ['example-accepted', 'boundary-accepted', 'break-refused', 'one-time-values']
  const allowPayments = { maxAmount: '0.05' }
  await check({
    url: sandbox.url,
    target: 'live',
    credentials,
    transport,
    rate: 5_000,
    only: rules,
    operations: ['createTransfer'],
    allowPayments,
  })
  expect(sent.length).toBeGreaterThan(5)
  expect(Math.max(...sent)).toBeLessThanOrEqual(0.05)
})

test('treats a service as live by default', async () => {
  const service = await startService()
  onTestFinished(() => service.close())
  const only = ['example-accepted']
  const result = await check({ url: service.url, credentials, rate: 5_000, only })
  expect(result.target).toBe('live')
  expect(service.passed.filter(({ method, path }) => method === 'POST' && path.startsWith(PAY))).toEqual([])
})

test.each([503, 422])('reports leftovers if the deletion returns %i', async (status) => {
  const service = await startService()
  onTestFinished(() => service.close())
  service.change = (response, { method }) => (method === 'DELETE' ? { ...response, status } : undefined)
  const only = ['example-accepted']
  const { leftovers } = await check({
    url: service.url,
    target: 'live',
    credentials,
    rate: 5_000,
    only,
    operations: ['createWebhook'],
  })
  expect(leftovers).toEqual([expect.stringContaining(madeBy(service)[0])])
})
