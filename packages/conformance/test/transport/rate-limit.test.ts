import { setTimeout as sleep } from 'node:timers/promises'
import { createApp } from '@partner-payments/sandbox'
import { expect, onTestFinished, test } from 'vitest'
import type { CheckOptions } from '../../src/engine/check-options.ts'
import { createRateLimitedTransport } from '../../src/transport/rate-limit.ts'
import { createTimedTransport, type Transport } from '../../src/transport/transport.ts'
import { checkInProcess, inProcess } from '../in-process-transport.ts'

const GET = { method: 'GET', path: '/', headers: {}, body: undefined }
const REPLY = { status: 204, headers: {}, text: '', ms: 0 }

test('sends one request per interval, however many are waiting', async () => {
  const left: number[] = []
  let now = 0
  const transport: Transport = {
    async send() {
      left.push(now)
      return REPLY
    },
    close: async () => {},
  }
  const slept = async (ms: number) => {
    const until = now + ms
    await sleep(0)
    now = Math.max(now, until)
  }
  const paced = createRateLimitedTransport(transport, 4, { now: () => now, sleep: slept })
  await Promise.all([1, 2, 3, 4, 5].map(() => paced.send(GET)))
  expect(left).toEqual([0, 250, 500, 750, 1000])
})

/** How many requests were sent over a custom transport, and how many milliseconds the run took. */
async function ranOver(options: Partial<CheckOptions>) {
  const app = await createApp({ limitsRates: false })
  onTestFinished(() => app.close())
  let sent = 0
  const transport = inProcess((request) => {
    sent++
    return app.fetch(request)
  })
  const { ms } = await checkInProcess(transport, {
    target: 'live',
    credentials: { clientKey: 'partner', clientSecret: 'secret' },
    only: ['credentials-required'],
    operations: ['listUsers', 'getUser'],
    ...options,
  })
  return { sent, ms }
}

test.each([
  ['10 a second where it is live', {}, 10],
  ['the given rate', { target: 'sandbox', rate: 25 }, 25],
] as const)('a wire that was given is sent %s', async (_, options, rate) => {
  const { sent, ms } = await ranOver(options)
  expect(sent).toBeGreaterThan(4)
  expect(ms).toBeGreaterThanOrEqual(((sent - 2) / rate) * 1000 * 0.9)
})

test('sends no waiting request after the end of the run', async () => {
  const controller = new AbortController()
  let sent = 0
  const transport = createTimedTransport({
    async send() {
      sent++
      return REPLY
    },
    close: async () => {},
  })
  const paced = createRateLimitedTransport(transport, 0.1)
  const [first, waiting] = [paced.send(GET), paced.send(GET, controller.signal)]
  controller.abort()
  expect((await first).status).toBe(204)
  expect(await waiting).toMatchObject({ status: 0, text: 'the run was ended' })
  expect(sent).toBe(1)
})
