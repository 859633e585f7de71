import { afterEach, describe, expect, test, vi } from 'vitest'
import { createStreams } from '../../src/control/streams.ts'
import { summarize } from '../callers.ts'
import { openSandbox, type Started } from '../started.ts'

afterEach(() => {
  vi.useRealTimers()
})

const CHANGE = 'event: change\ndata: {}\n\n'

describe('GET /stream', () => {
  test('announces a handled request', async () => {
    const sandbox = await openSandbox()
    const stream = await open(sandbox)
    expect(await stream.next()).toBe(': open\n\n')

    await sandbox.partner.users.list()
    expect(await stream.next()).toBe(CHANGE)
  })

  test('announces a settlement without a webhook', async () => {
    const sandbox = await openSandbox({ settleAfterMs: 100 })
    sandbox.clock.freeze()
    await sandbox.pay()

    const stream = await open(sandbox)
    await stream.next()
    await sandbox.at(sandbox.clock.now() + 1_000)
    expect(await stream.next()).toBe(CHANGE)
  })

  test('announces a delivery attempt', async () => {
    const sandbox = await openSandbox({ settleAfterMs: 100 })
    sandbox.clock.freeze()
    sandbox.shop.respondWith(500)
    await sandbox.register(sandbox.shop.url)
    await sandbox.pay()

    const stream = await open(sandbox)
    await stream.next()
    await sandbox.at(sandbox.clock.now() + 1_000)
    expect(await stream.next()).toBe(CHANGE)

    // Nothing settles now, so the second attempt is the only change.
    await sandbox.at(sandbox.clock.now() + 10_000)
    expect(await stream.next()).toBe(CHANGE)
  })

  test('ends when the sandbox closes, and does not delay it', async () => {
    const sandbox = await openSandbox()
    const stream = await open(sandbox)
    await stream.next()
    await sandbox.close()
    expect(await stream.next()).toBeUndefined()
  })

  test('is refused after fifty others, until a reader disconnects', async () => {
    const sandbox = await openSandbox()
    const readers = []
    for (let i = 0; i < 50; i++) readers.push(await open(sandbox))
    expect(summarize(await sandbox.control('GET', '/stream'))).toBe('503 unavailable')

    await readers[0]?.leave()
    await expect.poll(async () => (await open(sandbox)).status).toBe(200)
  })
})

describe('streams', () => {
  test('combine changes, and announce them four times a second', async () => {
    vi.useFakeTimers()
    const streams = createStreams()
    const stream = readerOf(streams.open())
    for (let ms = 0; ms < 990; ms += 10) {
      streams.announce()
      await vi.advanceTimersByTimeAsync(10)
    }

    await vi.advanceTimersByTimeAsync(1000)
    streams.close()

    expect(await stream.next()).toBe(': open\n\n')
    // At 0, 250, 500 and 750 ms. The last changes are announced after a second.
    for (let i = 0; i < 5; i++) expect(await stream.next()).toBe(CHANGE)
    expect(await stream.next()).toBeUndefined()
  })

  test('send a comment every 15 seconds', async () => {
    vi.useFakeTimers()
    const stream = readerOf(createStreams().open())
    expect(await stream.next()).toBe(': open\n\n')

    await vi.advanceTimersByTimeAsync(15_000)
    expect(await stream.next()).toBe(': alive\n\n')
  })

  test('end if nobody reads', async () => {
    vi.useFakeTimers()
    const streams = createStreams()
    const stream = readerOf(streams.open())
    for (let i = 0; i < 200; i++) {
      streams.announce()
      await vi.advanceTimersByTimeAsync(250)
    }

    let count = 0
    while (await stream.next()) count += 1
    expect(count).toBeLessThan(100)
  })
})

async function open({ url }: Started) {
  return readerOf(await fetch(`${url}/_sandbox/stream`))
}

function readerOf({ status, body }: Response) {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  return {
    status,
    leave: () => reader?.cancel(),
    next: async () => {
      const chunk = await reader?.read()
      return chunk?.value
    },
  }
}
