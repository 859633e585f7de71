import { expect, test } from 'vitest'
import { createLog } from '../../src/operation/log.ts'

test('writes a line of JSON with the time, the level, the message and the fields', () => {
  const all = {
    ...{ request_id: 'req_1', operation: 'checkKey', method: 'POST', status: 200, duration_ms: 1.5 },
    ...{ partner_id: 'p', attempt: 2, event_id: 'msg_1', webhook_id: 'wh_1', reason: 'timeout' },
  }
  expect(logged((log) => log('info', 'request', all))).toBe(
    `${JSON.stringify({ time: '2026-11-02T14:30:04.000Z', level: 'info', message: 'request', ...all })}\n`,
  )
})

test('escapes characters that control a terminal, which JSON leaves as they are', () => {
  const reason = '\u001b[2J\u007f\u009b\u202e'
  const line = logged((log) => log('warn', 'delivery', { reason }))
  expect(line).toContain(String.raw`\u001b[2J\u007f\u009b\u202e`)
  expect(JSON.parse(line)).toMatchObject({ reason })
})

test('drops fields that are not allowed, and inherited ones', () => {
  const secret = 'hunter2'
  const names = ['authorization', 'headers', 'body', 'url', 'error', 'time', 'level', 'message']
  const fields = { ...Object.fromEntries(names.map((name) => [name, secret])), toJSON: () => secret }
  const inherited = Object.assign(Object.create({ reason: secret }), fields)
  const line = logged((log) => log('warn', 'request', inherited))
  expect(JSON.parse(line)).toEqual({ time: '2026-11-02T14:30:04.000Z', level: 'warn', message: 'request' })
})

test.each([
  ...[{ nested: 'hunter2' }, ['hunter2'], 12n, null, undefined, Number.NaN, Number.POSITIVE_INFINITY],
  ...[Symbol('x'), () => 1, new Error('hunter2')],
])('drops a field that holds %s', (value) => {
  expect(logged((log) => log('info', 'x', { reason: value as never }))).not.toContain('reason')
})

test('cuts strings after 200 characters, and URLs before their query', () => {
  const line = JSON.parse(logged((log) => log('info', 'm'.repeat(300), { reason: 'r'.repeat(300) })))
  expect([line.message.length, line.reason.length]).toEqual([200, 200])
  const url = 'to https://loja.example/pix?token=hunter2#frag and HTTP://x?y more'
  expect(JSON.parse(logged((log) => log('info', url, { reason: url })))).toMatchObject({
    message: 'to https://loja.example/pix and HTTP://x more',
    reason: 'to https://loja.example/pix and HTTP://x more',
  })
})

test('stays on one line, whatever the strings contain', () => {
  const line = logged((log) => log('error', 'a\nb\r\u2028', { reason: '\n{"level":"info"}' }))
  expect(line.match(/[\r\n]/g)).toEqual(['\n'])
})

function logged(use: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = []
  use(
    createLog(
      (line) => lines.push(line),
      () => Date.UTC(2026, 10, 2, 14, 30, 4),
    ),
  )
  expect(lines).toHaveLength(1)
  return lines.join('')
}
