import { expect, test } from 'vitest'
import { createMetrics } from '../../src/operation/metrics.ts'
import { createRequest, issueToken, PREFIX } from '../callers.ts'
import { openSandbox } from '../started.ts'

test('the metrics count requests by operation and status, and deliveries by outcome', async () => {
  const sandbox = await openSandbox()
  const { control, service, shop, worker } = sandbox
  await sandbox.register(shop.url, `${shop.url}/again`)

  await control('POST', '/faults', { kind: 'fail_deliveries', times: 1 })
  await sandbox.pay()
  await worker.idle()
  await service(createRequest('GET', `${PREFIX}/nothing`, {}))

  const authorization = await issueToken(sandbox)
  const headers = { 'x-sandbox-fault': 'reset' }
  await service(createRequest('GET', `${PREFIX}/partner/user`, { authorization, headers }))

  const metrics = await sandbox.fetch(createRequest('GET', '/_sandbox/metrics', {}))
  const text = await metrics.text()
  expect(text.match(/^sandbox_(requests|deliveries)_total.*$/gm)?.sort()).toEqual([
    'sandbox_deliveries_total{outcome="fault"} 1',
    'sandbox_deliveries_total{outcome="ok"} 1',
    'sandbox_requests_total{operation="checkKey",status="200"} 1',
    'sandbox_requests_total{operation="createTransfer",status="201"} 1',
    'sandbox_requests_total{operation="createWebhook",status="201"} 2',
    'sandbox_requests_total{operation="listUsers",status="none"} 1',
    'sandbox_requests_total{operation="none",status="404"} 1',
    'sandbox_requests_total{operation="signIn",status="200"} 1',
  ])
  expect(text).toContain('sandbox_request_seconds_count{operation="createWebhook"} 2\n')
})

test('durations are in seconds', async () => {
  const { counting, registry } = createMetrics()
  counting.handled?.({
    operation: 'checkKey',
    status: 200,
    duration_ms: 3_000,
    request_id: '',
    at: 0,
    method: 'POST',
    path: '/',
    partner_id: undefined,
    findings: [],
    code: undefined,
    error: undefined,
  })
  expect(await registry.metrics()).toContain(
    'sandbox_request_seconds_sum{operation="checkKey"} 3\n',
  )
})
