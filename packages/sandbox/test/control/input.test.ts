import { afterAll, expect, test } from 'vitest'
import { createRequest, parseResponse, summarize } from '../callers.ts'
import { startOnMonday } from '../started.ts'

const sandbox = await startOnMonday()
afterAll(sandbox.close)

const DEPOSIT = '/accounts/c3a4b5d6-1d5c-4e0b-9d57-0d6c3f1a7001/deposit'

const INVALID: readonly Invalid[] = [
  { path: '/clock', body: {}, pointer: '' },
  { path: '/clock', body: { reset: false }, pointer: '/reset' },
  { path: '/clock', body: { advance_seconds: -1 }, pointer: '/advance_seconds' },
  { path: '/clock', body: { advance_seconds: 315_360_001 }, pointer: '/advance_seconds' },
  { path: '/clock', body: { freeze: false, advance_second: 5 }, pointer: '/advance_second' },
  { path: '/clock', body: { freeze: 'yes' }, pointer: '/freeze' },
  { path: DEPOSIT, body: {}, pointer: '/amount' },
  { path: DEPOSIT, body: { amount: '5.0' }, pointer: '/amount' },
  { path: DEPOSIT, body: { amount: '-5.00' }, pointer: '/amount' },
  { path: DEPOSIT, body: { amount: `${'9'.repeat(13)}.00` }, pointer: '/amount' },
  { path: '/deliveries/redeliver', body: { event_id: 'msg_1' }, pointer: '/webhook_id' },
  { path: '/faults', body: {}, pointer: '/kind' },
  { path: '/faults', body: { kind: 'boom' }, pointer: '/kind' },
  { path: '/faults', body: { kind: 'reset', operation: 'toString' }, pointer: '/operation' },
  { path: '/faults', body: { kind: 'reset', times: 0 }, pointer: '/times' },
  { path: '/faults', body: { kind: 'latency', ms: 60_001 }, pointer: '/ms' },
  { path: '/faults', body: { kind: 'latency' }, pointer: '/ms' },
  { path: '/faults', body: { kind: 'status' }, pointer: '/status' },
  { path: '/faults', body: { kind: 'status', status: 200 }, pointer: '/status' },
  // By the assumption to the open question `effects`, a 4xx response means that no work was done.
  { path: '/faults', body: { kind: 'status', status: 499, after: true }, pointer: '/status' },
  {
    path: '/faults',
    body: { kind: 'reject_transfer', operation: 'listUsers' },
    pointer: '/operation',
  },
  {
    path: '/faults',
    body: { kind: 'fail_deliveries', operation: 'listUsers' },
    pointer: '/operation',
  },
  { path: '/faults', body: { kind: 'reset', seconds: 3_601 }, pointer: '/seconds' },
  { path: '/faults', body: { kind: 'reset', operatoin: 'listUsers' }, pointer: '/operatoin' },
]

interface Invalid {
  readonly path: string
  readonly body: object
  /** Where the body is invalid; empty for the body as a whole. */
  readonly pointer: string
}

for (const { path, body, pointer } of INVALID) {
  const sent = JSON.stringify(body)
  test(`POST ${path} refuses ${sent}, points to ${JSON.stringify(pointer)}, and changes nothing`, async () => {
    const before = await sandbox.state()
    const response = await sandbox.control('POST', path, body)
    expect(summarize(response)).toContain(`400 invalid_request ${pointer}`)
    expect(await sandbox.state()).toEqual(before)
  })
}

test.each([
  {
    fault: 'no JSON',
    body: '{',
    type: 'application/json',
    expected: '400 malformed_body',
  },
  {
    fault: 'another type',
    body: 'freeze=true',
    type: 'application/x-www-form-urlencoded',
    expected: '415 unsupported_media_type',
  },
  {
    fault: 'a body over 64 KB',
    body: ' '.repeat(65_537),
    type: 'application/json',
    expected: '413 body_too_large',
  },
  {
    fault: 'no body',
    body: '',
    type: 'application/json',
    expected: '400 invalid_request ',
  },
])('the control API refuses $fault', async ({ body, type, expected }) => {
  const request = createRequest('POST', '/_sandbox/clock', {
    body,
    headers: { 'content-type': type },
  })
  const response = await parseResponse(await sandbox.fetch(request))
  expect(summarize(response)).toBe(expected)
})

test.each(['0', '101', '1.5', ''])('GET /events?limit=%s is refused', async (limit) => {
  const response = await sandbox.control('GET', `/events?limit=${limit}`)
  expect(summarize(response)).toBe('400 invalid_request limit')
})
