import { expect, onTestFinished, test } from 'vitest'
import { check } from '../../src/check.ts'
import type { CheckOptions } from '../../src/engine/check-options.ts'
import { createHttpTransport, type Transport } from '../../src/transport/transport.ts'
import { type Service, startService } from '../sandbox-proxy.ts'

const credentials = { clientKey: 'partner', clientSecret: 'secret' }
const TOKEN = '/mobile-bff/v1/auth/partner/token/'

async function checked(change: (service: Service) => void, options: Partial<CheckOptions> = {}) {
  const service = await startService()
  onTestFinished(() => service.close())
  change(service)
  const result = await check({ url: service.url, target: 'sandbox', credentials, ...options })
  return { service, result }
}

/** The sign-in returns short-lived tokens, and fails after some. */
const noTokenAfter =
  (count: number): Service['change'] =>
  (response, { path }) => {
    if (path !== TOKEN) return undefined
    if (count-- <= 0) return { ...response, status: 503, body: 'busy' }
    return { ...response, body: JSON.stringify({ ...JSON.parse(response.body), expiration: 0.001 }) }
  }

test('keeps the findings if the sign-in fails later, and says why the run ended', async () => {
  const { result } = await checked(
    (service) => {
      const signIn = noTokenAfter(10)
      service.change = (response, passing) => {
        const { 'x-request-id': _, ...headers } = response.headers
        return signIn?.(response, passing) ?? { ...response, headers }
      }
    },
    { only: ['records', 'response-headers'], operations: ['createWebhook', 'getWebhook'] },
  )
  expect(result.interrupted).toContain('the sign-in as "partner" returned 503')
  expect(result.findings.map(({ rule }) => rule)).toContain('response-headers')
})

test('keeps the findings if the service stops responding', async () => {
  let held = 0
  const service = await startService()
  onTestFinished(() => service.close())
  service.hold = ({ path }) => {
    if (path === TOKEN) return false
    held++
    return true
  }
  const transport = createHttpTransport(new URL(service.url), { timeoutMs: 200 })
  const result = await check({ url: service.url, target: 'sandbox', credentials, transport })
  expect(result.interrupted).toMatch(/^the last \d+ requests got no response/)
  expect(result.findings.map(({ rule }) => rule)).toContain('response-received')
  expect(held).toBeLessThan(60)
})

test('continues if only one operation does not respond', async () => {
  const only = ['example-accepted', 'response-received']
  const { result } = await checked(
    (service) => {
      service.change = (response, { path }) =>
        path.startsWith('/mobile-bff/v1/pix/dict') ? { ...response, status: 500 } : undefined
    },
    { only, operations: ['checkKey', 'createStaticQrCode', 'createWebhook', 'listUsers', 'getUser'] },
  )
  expect(result.interrupted).toBeUndefined()
  expect(result.rules.find(({ rule }) => rule === 'example-accepted')?.cases).toBeGreaterThan(10)
})

test('assesses the other rules if one throws an error', async () => {
  const url = {
    toJSON() {
      throw new Error('no such value\nat line 1')
    },
  }
  const only = ['one-time-values', 'record-shown', 'credentials-required', 'example-accepted']
  const operations = ['createWebhook', 'getWebhook', 'createTransfer']
  const { result } = await checked(() => {}, { only, operations, values: { createWebhook: { '/url': url } } })
  const seen = result.rules
    .filter(({ rule }) => only.includes(rule))
    .map(({ rule, status, reason }) => [rule, status, reason])
  expect(Object.fromEntries(seen.map(([rule, ...rest]) => [rule, rest]))).toMatchObject({
    'one-time-values': ['passed', undefined],
    'example-accepted': ['not-assessed', 'the rule failed with an internal error: no such value'],
  })
  expect(result.interrupted).toBeUndefined()
})

test('continues after a delivery that is not JSON', async () => {
  const service = await startService()
  onTestFinished(() => service.close())
  const right = createHttpTransport(new URL(service.url))
  const transport: Transport = {
    ...right,
    async send(call) {
      const response = await right.send(call)
      const { url } =
        call.path.endsWith('/webhook') && response.status === 201 ? JSON.parse(call.body ?? '') : {}
      if (url?.startsWith('http://127.0.0.1')) await fetch(url, { method: 'POST', body: 'not json' })
      return response
    },
  }
  const only = ['deliveries-sent', 'deliveries-subscription']
  const { rules, findings } = await check({
    url: service.url,
    target: 'sandbox',
    credentials,
    transport,
    only,
  })
  expect(findings).toEqual([])
  expect(rules.filter(({ rule }) => only.includes(rule)).map(({ status }) => status)).toEqual([
    'passed',
    'passed',
  ])
})
