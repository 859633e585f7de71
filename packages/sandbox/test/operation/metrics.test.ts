import { expect, test } from 'vitest'
import { reasons } from '../../src/deliveries/outcome.ts'
import { createMetrics } from '../../src/operation/metrics.ts'

const request = (operation: 'checkKey' | undefined, status: number, duration_ms: number) => ({
  ...{ operation, status, duration_ms, request_id: '', at: 0, method: 'POST', path: '/' },
  ...{ partner_id: undefined, findings: [], code: undefined, error: undefined },
})

test('counts requests by operation and status, and their seconds by operation', async () => {
  const { counting, registry } = createMetrics()
  for (const [status, ms] of [
    [200, 2],
    [200, 200],
    [404, 3_000],
    [0, 1],
  ] as const)
    counting.handled?.(request('checkKey', status, ms))
  counting.handled?.(request(undefined, 404, 1))
  const text = await registry.metrics()
  expect(samples(text, 'sandbox_requests_total')).toEqual([
    'sandbox_requests_total{operation="checkKey",status="200"} 2',
    'sandbox_requests_total{operation="checkKey",status="404"} 1',
    'sandbox_requests_total{operation="checkKey",status="none"} 1',
    'sandbox_requests_total{operation="none",status="404"} 1',
  ])
  expect(text).toContain('sandbox_request_seconds_bucket{le="0.0025",operation="checkKey"} 2\n')
  expect(text).toContain('sandbox_request_seconds_count{operation="checkKey"} 4\n')
})

test('counts deliveries by outcome', async () => {
  const { counting, registry } = createMetrics()
  const attempt = { event_id: '', webhook_id: '', attempt: 1, isDead: false, at: 0 }
  counting.attempted?.({ ...attempt, outcome: { ok: true, status: 200, durationMs: 1 } })
  for (const reason of reasons)
    counting.attempted?.({ ...attempt, outcome: { ok: false, reason, detail: '', durationMs: 1 } })
  const text = await registry.metrics()
  expect(samples(text, 'sandbox_deliveries_total')).toHaveLength(reasons.length + 1)
  expect(text).toContain('sandbox_deliveries_total{outcome="ok"} 1\n')
  expect(text).toContain('sandbox_deliveries_total{outcome="timeout"} 1\n')
})

function samples(text: string, name: string): string[] {
  return text.split('\n').filter((line) => line.startsWith(name))
}
