import { expect, test } from 'vitest'
import { createPatientWire } from '../src/transport/retry.ts'
import type { Reply } from '../src/transport/transport.ts'

const CALL = { method: 'GET', path: '/', headers: {}, body: undefined }
const FINE: Reply = { status: 200, headers: {}, text: '', ms: 0 }
const less = (after?: string): Reply => ({
  status: 429,
  headers: after === undefined ? {} : { 'retry-after': after },
  text: '',
  ms: 0,
})

/** A wire with these answers, by a clock that sleeping alone moves; the last answer is given from then on. */
function patient(...replies: Reply[]) {
  const slept: number[] = []
  let now = Date.parse('2026-07-01T12:00:00Z')
  let sent = 0
  const wire = createPatientWire(
    { send: async () => replies[Math.min(sent++, replies.length - 1)] ?? FINE, close: async () => {} },
    {
      now: () => now,
      sleep: async (ms) => {
        slept.push(ms)
        now += ms
      },
    },
  )
  return { wire, slept, sent: () => sent }
}

test.each([
  ['2', 2_000],
  ['0', undefined],
  ['Wed, 01 Jul 2026 12:00:05 GMT', 5_000],
  [undefined, 1_000],
  ['soon', 1_000],
])('a 429 with retry-after %s is asked again after that time', async (after, ms) => {
  const { wire, slept } = patient(less(after), FINE)
  expect((await wire.send(CALL)).status).toBe(200)
  expect(slept).toEqual(ms === undefined ? [] : [ms])
})

test('asks again until it is answered otherwise, and tells the first answer too', async () => {
  const { wire, sent } = patient(less('1'), less('2'), FINE)
  const reply = await wire.send(CALL)
  expect([reply.status, reply.limited?.headers, sent()]).toEqual([200, { 'retry-after': '1' }, 3])
})

test('an answer that was not put off has none before it', async () => {
  expect((await patient(FINE).wire.send(CALL)).limited).toBeUndefined()
})

test('asks twenty times again, and no more', async () => {
  const { wire, sent } = patient(less('1'))
  expect((await wire.send(CALL)).status).toBe(429)
  expect(sent()).toBe(21)
})

test('does not wait where it would take longer than it waits at most', async () => {
  const { wire, slept, sent } = patient(less('61'))
  expect((await wire.send(CALL)).status).toBe(429)
  expect({ slept, sent: sent() }).toEqual({ slept: [], sent: 1 })
})

test('a service that puts everything off is waited for five minutes in all', async () => {
  const { wire, slept } = patient(less('30'))
  for (let i = 0; i < 20; i++) await wire.send(CALL)
  expect(slept.reduce((sum, ms) => sum + ms, 0)).toBe(300_000)
})

test('who asks meanwhile waits too', async () => {
  const { wire, slept } = patient(less('10'), FINE)
  const first = wire.send(CALL)
  const order: string[] = []
  await Promise.all([first.then(() => order.push('first')), wire.send(CALL).then(() => order.push('second'))])
  expect(slept).toEqual([10_000])
  expect(order.toSorted()).toEqual(['first', 'second'])
})
