import { expect, test } from 'vitest'
import { createHistory, type Placed, type RecordedExchange, replay } from '../src/history.ts'

const exchange = (sentAt: number, completeAt: number): RecordedExchange => ({
  type: 'exchange',
  sentAt,
  completeAt,
  request: { method: 'GET', path: '/', headers: {} },
})

const times = (placed: readonly Placed[]) => placed.map(({ event }) => event.completeAt)

test('it passes exchanges on in the order of their responses, with those beside them', () => {
  const placed: Placed[] = []
  const exchanges = [exchange(1, 9), exchange(2, 4), exchange(5, 7), exchange(10, 11)]
  const history = createHistory((event) => placed.push(event))
  replay(exchanges, history)
  expect(times(placed)).toEqual([4, 7, 9, 11])
  const besideEach = placed.map(({ beside }) => beside.map(({ completeAt }) => completeAt))
  expect(besideEach).toEqual([[9], [9], [4, 7], []])
})

test('it waits for a request that was sent before a response was complete', () => {
  const placed: Placed[] = []
  const history = createHistory((event) => placed.push(event))
  history.expect(1)
  history.add(exchange(2, 4))
  expect(times(placed)).toEqual([])
  history.forget(1)
  expect(times(placed)).toEqual([4])
})

test('it waits for no more than a thousand events', () => {
  const placed: Placed[] = []
  const history = createHistory((event) => placed.push(event))
  history.expect(0)
  for (let at = 1; at <= 1_200; at++) history.add(exchange(at, at + 0.5))
  expect(placed.length).toBe(200)
})

test('it keeps two thousand exchanges at most beside a request that hangs', () => {
  const placed: Placed[] = []
  const exchanges = Array.from({ length: 3_000 }, (_, i) => exchange(i + 1, i + 1.5))
  replay(
    [exchange(0, 9_000), ...exchanges],
    createHistory((event) => placed.push(event)),
  )
  // Those that waited for it, and those before them.
  expect(placed.at(-1)?.beside.length).toBe(2_000)
})

test('it passes on at the end what it has postponed', () => {
  const placed: Placed[] = []
  const history = createHistory(
    (event) => placed.push(event),
    () => undefined,
  )
  history.add(exchange(1, 2))
  expect(times(placed)).toEqual([])
  history.end()
  expect(times(placed)).toEqual([2])
})

test('it passes on for a moment at a time, and postpones the rest', () => {
  const placed: Placed[] = []
  const postponed: (() => void)[] = []
  let now = 0
  const history = createHistory(
    // Each event takes 30 ms.
    (event) => {
      placed.push(event)
      now += 30
    },
    (work) => postponed.push(work),
    () => now,
  )
  history.expect(0)
  for (let at = 1; at <= 5; at++) history.add(exchange(at, at + 0.5))
  history.forget(0)
  const counts: number[] = []
  for (let work = postponed.pop(); work; work = postponed.pop()) {
    work()
    counts.push(placed.length)
  }
  expect(counts.slice(0, 3)).toEqual([2, 4, 5])
})

test('it passes all on at once if nothing is postponed, however long that takes', () => {
  const counts: number[] = []
  let now = 0
  const history = createHistory(
    ({ beside }) => {
      counts.push(beside.length)
      now += 1_000
    },
    undefined,
    () => now,
  )
  const exchanges = Array.from({ length: 1_200 }, (_, i) => exchange(i + 1, i + 1.5))
  replay([exchange(0, 9_000), ...exchanges], history)
  expect(counts.at(-1)).toBe(1_200)
})

test('it waits for no more than a thousand events where they are passed on later', () => {
  const placed: Placed[] = []
  const history = createHistory(
    (event) => placed.push(event),
    () => undefined,
  )
  for (let at = 1; at <= 1_200; at++) history.add(exchange(at, at + 0.5))
  expect(placed.length).toBe(200)
})

test('it waits for no more than fifty million characters of bodies', () => {
  const placed: Placed[] = []
  const history = createHistory((event) => placed.push(event))
  const text = 'x'.repeat(2_000_000)
  history.expect(0)
  for (let at = 1; at <= 30; at++) {
    const response = { status: 200, headers: {}, text }
    history.add({ ...exchange(at, at + 0.5), response })
  }
  expect(placed.length).toBe(5)
})

test('it keeps no responses of exchanges that are beside others', () => {
  const placed: Placed[] = []
  const history = createHistory((event) => placed.push(event))
  const response = { status: 200, headers: {}, text: '{}' }
  replay([exchange(1, 9), { ...exchange(2, 4), response }], history)
  expect(placed.at(-1)?.beside.map((other) => other.response)).toEqual([undefined])
})
