import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { REPEATING, startCountingServer } from '../scripts/counting-server.ts'
import { sendOnce } from '../scripts/send-once.mjs'
import { createPayments } from '../src/index.ts'
import { TRANSFER } from './service.ts'

let server: Awaited<ReturnType<typeof startCountingServer>>
beforeAll(async () => {
  server = await startCountingServer()
})
afterAll(() => server.close())

describe('a request of effect once', () => {
  it.each(REPEATING)('reaches a server once, and is not refused: %s', async (scenario) => {
    const ends = await sendOnce(createPayments, server.url, [scenario])
    const names = [`${scenario} POST`, `${scenario} PATCH`]
    expect(names.map((name) => server.counts[name])).toEqual([1, 1])
    // An interim response is none, but for 100, which undici takes for an error where nothing asked for it.
    const kind = scenario === 'hinted' ? 'ok' : 'outcome_unknown'
    expect(ends).toEqual({ [names[0] as string]: kind, [names[1] as string]: 'outcome_unknown' })
  })

  it('never gets the response to the request before, on a connection that repeats it', async () => {
    const payments = createPayments({ baseUrl: `${server.url}/doubled`, auth: { token: () => 't' } })
    const pay = async (description: string) => {
      const result = await payments.transfers.create({ ...TRANSFER, description }).result()
      return result.ok ? result.data.id : result.kind
    }
    const paid = []
    for (const order of ['1', '2', '3']) paid.push(await Promise.all([pay(`${order}a`), pay(`${order}b`)]))
    expect(paid.flat()).toEqual(['1a', '1b', '2a', '2b', '3a', '3b'])
  })
})
