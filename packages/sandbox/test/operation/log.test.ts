import { expect, test } from 'vitest'
import type { Outcome } from '../../src/deliveries/outcome.ts'
import type { Observers } from '../../src/index.ts'
import { createLog } from '../../src/operation/log.ts'
import { StoreUnavailable } from '../../src/store/store.ts'

const time = '2026-11-02T14:30:04.000Z'
const partner_id = '47216ec3-f206-4f92-a1b8-735b0c2aba05'
const request = {
  request_id: 'req_1',
  operation: 'checkKey',
  method: 'POST',
  duration_ms: 1.5,
  partner_id,
} as const
const handled = { ...request, at: 0, path: '/hunter2', findings: [], code: undefined }
const delivery = { event_id: 'msg_1', webhook_id: 'wh_1', attempt: 2 }
const success = { ok: true, status: 204, durationMs: 7 } as const
const failure = {
  ok: false,
  reason: 'status',
  status: 503,
  detail: 'hunter2',
  durationMs: 7,
} as const

test.each([
  { status: 200, error: undefined, fields: { level: 'info' } },
  {
    status: 500,
    error: new RangeError('hunter2'),
    fields: { level: 'error', reason: 'RangeError' },
  },
])('writes a line of JSON for a request with status $status', ({ status, error, fields }) => {
  const line = logged((log) => log.handled({ ...handled, status, error }))
  expect(JSON.parse(line)).toEqual({ time, message: 'request', ...request, status, ...fields })
})

const DELIVERIES: readonly { outcome: Outcome; fields: object }[] = [
  { outcome: success, fields: { level: 'info', message: 'delivered', status: 204 } },
  {
    outcome: failure,
    fields: {
      level: 'warn',
      message: 'not delivered, no attempts left',
      status: 503,
      reason: 'status',
    },
  },
]

for (const { outcome, fields } of DELIVERIES) {
  test(`writes a line of JSON for the delivery ${JSON.stringify(outcome)}`, () => {
    const attempt = { ...delivery, outcome, isDead: !outcome.ok, at: 0 }
    const line = logged((log) => log.attempted(attempt))
    expect(JSON.parse(line)).toEqual({ time, ...delivery, duration_ms: 7, ...fields })
  })
}

test('stays on one line, and escapes characters that control a terminal, which JSON leaves as they are', () => {
  const text = '\u001b[2J\u007f\u009b\u202e\r\n\u2028{"level":"info"}'
  const line = logged(({ failed }) => failed(new StoreUnavailable(text)))
  expect(line.match(/[\r\n\u2028]/g)).toEqual(['\n'])
  expect(line).toContain(String.raw`\u001b[2J\u007f\u009b\u202e`)
  expect(JSON.parse(line).reason).toBe(`StoreUnavailable: ${text}`)
})

function logged(use: (log: Required<Observers>) => void): string {
  const lines: string[] = []
  const now = () => Date.parse(time)
  const log = createLog((line) => lines.push(line), now)
  // The log observes everything but settlements.
  use(log as Required<Observers>)
  expect(lines).toHaveLength(1)

  return lines.join('')
}
