import { expect, onTestFinished, test, vi } from 'vitest'
import type { ReceivedResponse } from '../../src/history.ts'
import {
  createGate,
  createLatency,
  createRateLimit,
  withCircuitBreaker,
} from '../../src/send/limits.ts'

const NEVER = new AbortController().signal
const GET = { method: 'GET', path: '/', headers: {} }
const response = (status: number, after?: string): ReceivedResponse => ({
  status,
  headers: { 'retry-after': after },
  text: '',
})

/** A timer that moves only by sleeping. */
function timer() {
  const slept: number[] = []
  let time = Date.parse('2026-07-01T12:00:00Z')
  const began = time
  return {
    slept,
    since: () => time - began,
    now: () => time,
    async sleep(ms: number) {
      slept.push(ms)
      time += ms
    },
  }
}

test('it spaces requests evenly, and has no limit without a rate', async () => {
  const limited = timer()
  const fourPerSecond = createRateLimit(4, limited)
  for (let i = 0; i < 5; i++) await fourPerSecond.turn(NEVER)
  expect(limited.since()).toBe(1_000)

  const free = timer()
  const unlimited = createRateLimit(undefined, free)
  for (let i = 0; i < 5; i++) await unlimited.turn(NEVER)
  expect(free.since()).toBe(0)
})

test.each([
  { after: '2', slept: [2_000] },
  { after: '0', slept: [] },
  { after: 'Wed, 01 Jul 2026 12:00:05 GMT', slept: [5_000] },
  { after: undefined, slept: [1_000] },
  { after: 'soon', slept: [1_000] },
])(
  'it sends after a 429 with retry-after $after when that time has passed',
  async ({ after, slept }) => {
    const time = timer()
    const { turn, putOff } = createRateLimit(undefined, time)
    expect(putOff(response(429, after))).toBe(true)
    await turn(NEVER)
    expect(time.slept).toEqual(slept)
  },
)

test('it waits a minute at most, and five minutes in a run', async () => {
  const time = timer()
  const { turn, putOff } = createRateLimit(undefined, time)
  expect(putOff(response(429, '61'))).toBe(false)
  let count = 0
  while (count < 50 && putOff(response(429, '30'))) {
    await turn(NEVER)
    count++
  }
  expect(count).toBe(10)
  expect(time.since()).toBe(300_000)
})

test('it slows down with each 429, and recovers with other responses', async () => {
  const time = timer()
  const { turn, putOff, speedUp } = createRateLimit(undefined, time)
  const spacing = async () => {
    await turn(NEVER)
    const began = time.since()
    await turn(NEVER)
    return time.since() - began
  }
  const refuse = () => putOff(response(429, '0'))

  refuse()
  expect(await spacing()).toBe(50)
  refuse()
  expect(await spacing()).toBe(100)
  for (let i = 0; i < 20; i++) refuse()
  expect(await spacing()).toBe(2_000)
  for (let i = 0; i < 100; i++) speedUp()
  expect(await spacing()).toBe(0)
})

test('it slows down once for requests that are refused at the same time', async () => {
  const time = timer()
  const { turn, putOff } = createRateLimit(undefined, time)
  for (let i = 0; i < 16; i++) putOff(response(429, '1'))
  await turn(NEVER)
  const began = time.since()
  await turn(NEVER)
  expect(time.since() - began).toBe(50)
})

test('it lets so many requests be on their way, and the next one when one is back', async () => {
  const { enter, leave } = createGate(2)
  const entered: number[] = []
  const enterAs = async (number: number) => {
    await enter()
    entered.push(number)
  }
  await Promise.all([enterAs(1), enterAs(2)])
  const third = enterAs(3)
  const fourth = enterAs(4)
  await Promise.resolve()
  expect(entered).toEqual([1, 2])
  leave()
  await third
  leave()
  await fourth
  expect(entered).toEqual([1, 2, 3, 4])
})

test.each([
  { title: 'no response', times: [], isSlow: false },
  { title: 'a few responses', times: [2_000, 2_000, 2_000, 2_000], isSlow: false },
  { title: 'responses of which most are slow', times: [2, 2_000, 2_000, 300, 2], isSlow: true },
  { title: 'responses that take a quarter of a second', times: Array(5).fill(250), isSlow: true },
  { title: 'responses of which few are slow', times: [2, 2_000, 2, 2_000, 2], isSlow: false },
  {
    title: 'responses that became fast',
    times: [...Array(20).fill(2_000), ...Array(20).fill(2)],
    isSlow: false,
  },
])('it says after $title whether a service is slow: $isSlow', ({ times, isSlow }) => {
  const latency = createLatency()
  for (const ms of times) latency.note(ms)
  expect(latency.isSlow()).toBe(isSlow)
})

/** Why the circuit breaker opened after requests to these paths; 0 gets no response. */
async function reasonsAfter(requests: readonly (readonly [path: string, status: number])[]) {
  const reasons: string[] = []
  const statuses = requests.map(([, status]) => status)
  const transport = withCircuitBreaker(
    async () => {
      const status = statuses.shift() ?? 0
      if (status === 0) throw new Error('socket hang up')
      return response(status)
    },
    (reason) => reasons.push(reason),
  )
  for (const [path] of requests) await transport({ ...GET, path }, NEVER).catch(() => undefined)
  return reasons
}

/** The same requests, this many times. */
function times(count: number, ...requests: (readonly [string, number])[]) {
  return Array.from({ length: count }, () => requests).flat()
}

test('it opens after 20 requests of several operations without a response', async () => {
  expect(await reasonsAfter(times(10, ['/a', 0], ['/b', 0]))).toEqual([
    'the last 20 requests got no response: socket hang up',
  ])
  expect(
    await reasonsAfter([...times(9, ['/a', 0], ['/b', 0]), ['/a', 200], ...times(19, ['/a', 0])]),
  ).toEqual([])
})

test('it opens after 60 requests of one operation, whatever record they name', async () => {
  const requests = Array.from({ length: 59 }, (_, index) => [`/a/${index}?x=${index}`, 0] as const)
  expect(await reasonsAfter(requests)).toEqual([])
  expect(await reasonsAfter([...requests, ['/a/60', 0]])).toHaveLength(1)
})

test('it counts one of several requests that meet the limit of a rate at the same time', async () => {
  const reasons: string[] = []
  const transport = withCircuitBreaker(
    async () => response(429),
    (reason) => reasons.push(reason),
  )
  const paths = Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? '/a' : '/b'))
  await Promise.all(paths.map((path) => transport({ ...GET, path }, NEVER)))
  expect(reasons).toEqual([])

  for (const path of paths.slice(0, 19)) await transport({ ...GET, path }, NEVER)
  expect(reasons).toEqual([
    'the last 20 requests got no response, or were refused with 429; set a lower --rate, such as --rate 2',
  ])
})

test('it opens if the responses have more than 100 million characters', async () => {
  const reasons: string[] = []
  const large = { ...response(200), text: 'x'.repeat(1_000_000) }
  const transport = withCircuitBreaker(
    async () => large,
    (reason) => reasons.push(reason),
  )
  for (let i = 0; i < 101; i++) await transport(GET, NEVER)
  expect(reasons).toEqual(['the responses have more than 100 million characters in all'])
})

test('it opens if nothing is complete for a time, and does not count the time between requests', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const reasons: string[] = []
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  const transport = withCircuitBreaker(
    async ({ path }) => {
      await wait(path === '/slow' ? 100 : 0)
      if (path === '/slow') throw new Error('no complete response')
      return response(200)
    },
    (reason) => reasons.push(reason),
    150,
  )
  const send = async (...paths: string[]) => {
    const sent = async () => {
      for (const path of paths) await transport({ ...GET, path }, NEVER).catch(() => undefined)
    }
    await Promise.all([sent(), vi.advanceTimersByTimeAsync(1_000)])
  }
  await send('/', '/slow', '/', '/slow')
  await send('/')
  expect(reasons).toEqual([])
  await send('/slow', '/slow')
  expect(reasons).toEqual(['no request got a complete response for 150 ms'])
})
