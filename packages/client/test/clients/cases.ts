import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { OutcomeUnknownError } from '../../src/index.ts'
import { json, problem, SETTLED, TRANSFER, tokenSet } from '../service.ts'

type Pay = (body: typeof TRANSFER) => Promise<{ readonly status: string } | undefined>

/**
 * A service whose payments end as `respond` says, by their number. Sets `BASE_URL` for the samples.
 */
export async function startService() {
  const count = { payments: 0, tokens: 0 }
  let respond: (payment: number) => Response = () => json(SETTLED, 201)
  const server = createServer(async (request, response) => {
    await request.resume().toArray()
    const isToken = request.url?.includes('/auth/')
    const result = isToken ? respondWithToken() : respondToPayment()
    response.writeHead(result.status, Object.fromEntries(result.headers))
    response.end(await result.text())
  })

  function respondWithToken(): Response {
    count.tokens += 1
    return json(tokenSet(`token-${count.tokens}`))
  }

  function respondToPayment(): Response {
    count.payments += 1
    return respond(count.payments)
  }

  await once(server.listen(0, '127.0.0.1'), 'listening')
  process.env.BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  /** Starts to count anew. */
  const set = (next: typeof respond) => {
    respond = next
    count.payments = 0
    count.tokens = 0
  }
  return { url: process.env.BASE_URL, count, set, close: () => server.close() }
}

type Service = Awaited<ReturnType<typeof startService>>

/** What a payment through any client ends with: it resolves only if the transfer was made. */
export const cases: Readonly<Record<string, (service: Service, pay: Pay) => Promise<void>>> = {
  async 'a payment succeeds'({ set, count }, pay) {
    set(() => json(SETTLED, 201))
    expect((await pay(TRANSFER))?.status).toBe('settled')
    expect(count.payments).toBe(1)
  },
  async 'a refusal is an error'({ set, count }, pay) {
    set(() => problem(409, 'initiation_used'))
    await expect(pay(TRANSFER)).rejects.toBeDefined()
    await expect(pay(TRANSFER)).rejects.not.toBeInstanceOf(OutcomeUnknownError)
    expect(count.payments).toBe(2)
  },
  async 'an unknown outcome is an error of its own, and nothing is sent again'(
    { set, count },
    pay,
  ) {
    const responders = [
      () => problem(503, 'unavailable'),
      () => json({}, 200),
      () => new Response('<', { status: 500 }),
    ]
    for (const respond of responders) {
      set(respond)
      await expect(pay(TRANSFER)).rejects.toBeInstanceOf(OutcomeUnknownError)
      expect(count.payments).toBe(1)
    }
  },
  async 'a 401 renews the token'({ set, count }, pay) {
    set((payment) => (payment === 1 ? problem(401, 'invalid_token') : json(SETTLED, 201)))
    expect((await pay(TRANSFER))?.status).toBe('settled')
    expect([count.payments, count.tokens]).toEqual([2, 1])
  },
}
