import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { HttpResponse } from '../../src/model/http.ts'
import { createIdleTimeout } from '../../src/transport/idle-timeout.ts'

const NONE: HttpResponse = { status: 0, headers: {}, text: 'no complete response within 40 ms', ms: 40 }
const SOME: HttpResponse = { status: 200, headers: {}, text: '{}', ms: 0 }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** The reasons after GETs of these paths, one after another. `/slow` gets no response within 40 ms. */
async function reasonsAfter(paths: readonly string[], pauseMs = 0): Promise<readonly string[]> {
  const reasons: string[] = []
  const send = async ({ path }: { path: string }) => (path === '/slow' ? sleep(40).then(() => NONE) : SOME)
  const limited = createIdleTimeout({ send, close: async () => {} }, (it) => reasons.push(it), 60)
  const sent = async () => {
    for (const path of paths) {
      await limited.send({ method: 'GET', path, headers: {}, body: undefined })
      await sleep(pauseMs)
    }
  }
  await Promise.all([sent(), vi.advanceTimersByTimeAsync(1_000)])
  return reasons
}

test('it reports several requests in a row without a complete response, while the last one waits', async () => {
  expect(await reasonsAfter(['/', '/slow', '/slow'])).toEqual([
    'no request got a complete response for 60 ms',
  ])
})

test('it starts again with each complete response, and does not count the time between requests', async () => {
  expect(await reasonsAfter(['/slow', '/', '/slow', '/'])).toEqual([])
  expect(await reasonsAfter(['/slow', '/'], 60)).toEqual([])
})
