import { expect, test } from 'vitest'
import { reasons } from '../../src/deliveries/outcome.ts'
import { createMetrics } from '../../src/operation/metrics.ts'

const operations = ['checkKey', 'signIn']

test('counts requests by operation and status, and their seconds by operation', async () => {
  const metrics = createMetrics(operations)
  metrics.request('checkKey', 200, 0.002)
  metrics.request('checkKey', 200, 0.2)
  metrics.request('checkKey', 404, 3)
  const text = await metrics.render()
  expect(text).toContain('sandbox_requests_total{operation="checkKey",status="200"} 2\n')
  expect(text).toContain('sandbox_requests_total{operation="checkKey",status="404"} 1\n')
  expect(text).toContain('sandbox_request_seconds_bucket{le="0.0025",operation="checkKey"} 1\n')
  expect(text).toContain('sandbox_request_seconds_count{operation="checkKey"} 3\n')
})

test('maps unknown operations and statuses to fixed labels', async () => {
  const metrics = createMetrics(operations)
  for (const name of ['other', '__proto__', 'constructor', '', undefined]) metrics.request(name, 404, 0)
  for (const status of [99, 600, 200.5, Number.NaN, -1]) metrics.request('signIn', status, 0)
  expect(samples(await metrics.render(), 'sandbox_requests_total')).toEqual([
    'sandbox_requests_total{operation="none",status="404"} 5',
    'sandbox_requests_total{operation="signIn",status="none"} 5',
  ])
})

test('counts deliveries by outcome', async () => {
  const metrics = createMetrics(operations)
  metrics.delivery({ ok: true })
  for (const reason of [...reasons, 'made up']) metrics.delivery({ ok: false, reason })
  const text = await metrics.render()
  expect(samples(text, 'sandbox_deliveries_total')).toHaveLength(reasons.length + 1)
  expect(text).toContain('sandbox_deliveries_total{outcome="ok"} 1\n')
  expect(text).toContain('sandbox_deliveries_total{outcome="timeout"} 1\n')
  expect(text).toContain('sandbox_deliveries_total{outcome="internal"} 2\n')
})

function samples(text: string, name: string): string[] {
  return text.split('\n').filter((line) => line.startsWith(name))
}
