import { expect, test } from 'vitest'
import type { Observers } from '../../src/index.ts'
import { logging } from '../../src/operation/log.ts'
import { StoreUnavailable } from '../../src/store/store.ts'

const time = '2026-11-02T14:30:04.000Z'
const partner_id = '47216ec3-f206-4f92-a1b8-735b0c2aba05'
const request = {
  request_id: 'req_1',
  operation: 'checkKey',
  method: 'POST',
  status: 200,
  partner_id,
} as const
const handled = { ...request, at: 0, path: '/hunter2', duration_ms: 1.5, findings: [], code: undefined }
const delivery = { event_id: 'msg_1', webhook_id: 'wh_1', attempt: 2 }
const failure = { ok: false, reason: 'status', status: 503, detail: 'hunter2', durationMs: 7 } as const

test.each<[string, (log: Required<Observers>) => void, object]>([
  [
    'a request',
    (log) => log.handled({ ...handled, error: undefined }),
    { level: 'info', message: 'request', ...request, duration_ms: 1.5 },
  ],
  [
    'a request that failed',
    (log) => log.handled({ ...handled, status: 500, error: new RangeError('hunter2') }),
    { level: 'error', message: 'request', ...request, status: 500, duration_ms: 1.5, reason: 'RangeError' },
  ],
  [
    'a delivery',
    (log) =>
      log.attempted({ ...delivery, outcome: { ok: true, status: 204, durationMs: 7 }, isDead: false, at: 0 }),
    { level: 'info', message: 'delivered', ...delivery, status: 204, duration_ms: 7 },
  ],
  [
    'the last attempt of a delivery',
    (log) => log.attempted({ ...delivery, outcome: failure, isDead: true, at: 0 }),
    {
      ...{ level: 'warn', message: 'not delivered, no attempts left', ...delivery },
      ...{ status: 503, duration_ms: 7, reason: 'status' },
    },
  ],
])('writes a line of JSON for %s', (_, use, fields) => {
  expect(JSON.parse(logged(use))).toEqual({ time, ...fields })
})

test('stays on one line, and escapes characters that control a terminal, which JSON leaves as they are', () => {
  const text = '\u001b[2J\u007f\u009b\u202e\r\n\u2028{"level":"info"}'
  const line = logged(({ failed }) => failed(new StoreUnavailable(text)))
  expect(line.match(/[\r\n\u2028]/g)).toEqual(['\n'])
  expect(line).toContain(String.raw`\u001b[2J\u007f\u009b\u202e`)
  expect(JSON.parse(line).reason).toBe(`StoreUnavailable: ${text}`)
})

function logged(use: (log: Required<Observers>) => void): string {
  const lines: string[] = []
  // The log observes everything but settlements.
  use(
    logging(
      (line) => lines.push(line),
      () => Date.parse(time),
    ) as Required<Observers>,
  )
  expect(lines).toHaveLength(1)
  return lines.join('')
}
