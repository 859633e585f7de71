import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
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

  it('reaches a server once with a fetch that repeats what broke', async () => {
    const fetch = (url: string, init: RequestInit) =>
      globalThis.fetch(url, init).catch(() => globalThis.fetch(url, init))
    const baseUrl = `${server.url}/dropped`
    const payments = createPayments({ baseUrl, auth: { token: () => 't' }, fetch })
    const result = await payments.transfers.create(TRANSFER).result()
    expect([result.kind, server.counts['dropped POST']]).toEqual(['outcome_unknown', 1])
  })

  it('can be read by a fetch that expects a string', async () => {
    const bodies: unknown[] = []
    const fetch = async (url: string, init: RequestInit) => {
      bodies.push(JSON.parse(init.body as string), await new Request(url, init).json())
      return new Response('{}', { status: 201 })
    }
    const payments = createPayments({ baseUrl: 'https://pay.example', auth: { token: () => 't' }, fetch })
    await payments.transfers.create(TRANSFER)
    expect(bodies).toEqual([TRANSFER, TRANSFER])
  })

  it('is a string in a browser, which sends a stream over HTTP/2 only', async () => {
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0' })
    const bodies: unknown[] = []
    const fetch = async (_: string, { body }: RequestInit) => {
      bodies.push(body)
      return new Response('{}', { status: 201 })
    }
    const payments = createPayments({ baseUrl: 'https://pay.example', auth: { token: () => 't' }, fetch })
    await payments.transfers.create(TRANSFER)
    vi.unstubAllGlobals()
    expect(bodies).toEqual([JSON.stringify(TRANSFER)])
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
