import { afterAll, expect, test } from 'vitest'
import { parseResponse, requestOf, summaryOf } from '../callers.ts'
import { startOnMonday } from '../started.ts'

const sandbox = await startOnMonday()
afterAll(sandbox.close)

const DEPOSIT = '/accounts/c3a4b5d6-1d5c-4e0b-9d57-0d6c3f1a7001/deposit'

test.each([
  ['/clock', {}, ''],
  ['/clock', { reset: false }, '/reset'],
  ['/clock', { advance_seconds: -1 }, '/advance_seconds'],
  ['/clock', { advance_seconds: 315_360_001 }, '/advance_seconds'],
  ['/clock', { freeze: false, advance_second: 5 }, '/advance_second'],
  ['/clock', { freeze: 'yes' }, '/freeze'],
  [DEPOSIT, {}, '/amount'],
  [DEPOSIT, { amount: '5.0' }, '/amount'],
  [DEPOSIT, { amount: '-5.00' }, '/amount'],
  [DEPOSIT, { amount: `${'9'.repeat(13)}.00` }, '/amount'],
  ['/deliveries/redeliver', { event_id: 'msg_1' }, '/webhook_id'],
  ['/faults', {}, '/kind'],
  ['/faults', { kind: 'boom' }, '/kind'],
  ['/faults', { kind: 'reset', operation: 'toString' }, '/operation'],
  ['/faults', { kind: 'reset', times: 0 }, '/times'],
  ['/faults', { kind: 'latency', ms: 60_001 }, '/ms'],
  ['/faults', { kind: 'latency' }, '/ms'],
  ['/faults', { kind: 'status' }, '/status'],
  ['/faults', { kind: 'status', status: 200 }, '/status'],
  // By the assumption to the open question `effects`, a 4xx response means that no work was done.
  ['/faults', { kind: 'status', status: 499, after: true }, '/status'],
  ['/faults', { kind: 'reject_transfer', operation: 'listUsers' }, '/operation'],
  ['/faults', { kind: 'fail_deliveries', operation: 'listUsers' }, '/operation'],
  ['/faults', { kind: 'reset', seconds: 3_601 }, '/seconds'],
  ['/faults', { kind: 'reset', operatoin: 'listUsers' }, '/operatoin'],
])('POST %s refuses %j, points to %j, and changes nothing', async (path, body, pointer) => {
  const before = await sandbox.state()
  expect(summaryOf(await sandbox.control('POST', path, body))).toContain(
    `400 invalid_request ${pointer}`,
  )
  expect(await sandbox.state()).toEqual(before)
})

test.each([
  ['no JSON', '{', 'application/json', '400 malformed_body'],
  [
    'another type',
    'freeze=true',
    'application/x-www-form-urlencoded',
    '415 unsupported_media_type',
  ],
  ['a body over 64 KB', ' '.repeat(65_537), 'application/json', '413 body_too_large'],
  ['no body', '', 'application/json', '400 invalid_request '],
])('the control API refuses %s', async (_, body, type, expected) => {
  const request = requestOf('POST', '/_sandbox/clock', { body, headers: { 'content-type': type } })
  expect(summaryOf(await parseResponse(await sandbox.fetch(request)))).toBe(expected)
})

test.each(['0', '101', '1.5', ''])('GET /events?limit=%s is refused', async (limit) => {
  const response = await sandbox.control('GET', `/events?limit=${limit}`)
  expect(summaryOf(response)).toBe('400 invalid_request limit')
})
