import { createPayments } from '@partner-payments/client'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Rule } from '../../src/control/faults/faults.ts'
import { issueToken } from '../callers.ts'
import { AUTH, start } from '../started.ts'

const sandbox = await start()
afterAll(sandbox.close)
const payments = createPayments({ baseUrl: sandbox.url, auth: AUTH, retries: 0 })
let token: string
beforeEach(async () => {
  await sandbox.control('POST', '/reset')
  token = await issueToken(sandbox)
})

const add = (rule: object) => sandbox.control<Rule>('POST', '/faults', rule)

async function rules(): Promise<Rule[]> {
  const { body } = await sandbox.control<{ data: Rule[] }>('GET', '/faults')
  return body.data
}

async function transfers() {
  const state = await sandbox.state()
  return state.transfers
}

/** Lists the users, with a fault. */
function look(fault?: string): Promise<Response> {
  const headers: Record<string, string> = { authorization: token }
  if (fault !== undefined) headers['x-sandbox-fault'] = fault
  return fetch(`${sandbox.url}/mobile-bff/v1/partner/user`, { headers })
}

/** The status of a response, or the code of the error that comes instead. */
async function outcome(sent: Promise<Response>): Promise<number | string | undefined> {
  try {
    const { status } = await sent
    return status
  } catch (error) {
    return ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code
  }
}

async function payOnce(fault?: string) {
  const payee = await payments.keys.check('beltrana@example.com')
  const options = fault ? { headers: { 'x-sandbox-fault': fault } } : {}
  return payee.pay({ amount: '1.00' }, options).result()
}

describe('a fault by header', () => {
  test('status: returns a problem of the contract, without doing the work', async () => {
    expect(await payOnce('status=422')).toMatchObject({ ok: false, kind: 'http' })

    const response = await look('status=503')
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(response.headers.get('retry-after')).toBe('1')
    expect(await response.json()).toMatchObject({
      status: 503,
      code: 'unavailable',
      detail: 'A fault rule or header of the sandbox caused this response.',
      request_id: response.headers.get('x-request-id'),
    })
    expect(await transfers()).toEqual([])
  })

  test.each([
    { status: 401, code: 'invalid_token' },
    { status: 404, code: 'not_found' },
    { status: 429, code: 'rate_limited' },
    { status: 500, code: 'internal_error' },
    { status: 599, code: 'unavailable' },
  ])('status=$status has the code $code', async ({ status, code }) => {
    const response = await look(`status=${status}`)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ status, code })
  })

  test('lose-response: creates the transfer, but sends no response', async () => {
    const result = await payOnce('lose-response')
    expect(result).toMatchObject({ ok: false, kind: 'outcome_unknown' })

    const { transfers, requests } = await sandbox.state()
    expect(transfers).toMatchObject([{ amount: '1.00' }])
    expect(requests[0]).toMatchObject({ operation: 'createTransfer', status: 0 })
  })

  test('reset: resets the connection, without doing the work', async () => {
    expect(await payOnce('reset')).toMatchObject({ ok: false, kind: 'outcome_unknown' })
    expect(await transfers()).toEqual([])
    expect(await outcome(look('reset'))).toBe('ECONNRESET')
    expect(await outcome(look('lose-response'))).toBe('UND_ERR_SOCKET')
    expect(await outcome(look())).toBe(200)
  })

  test('latency: responds after the delay', async () => {
    const startedAt = performance.now()
    expect(await outcome(look('latency=120'))).toBe(200)
    expect(performance.now() - startedAt).toBeGreaterThan(115)
  })

  test('slow-body: sends the same response in pieces', async () => {
    const whole = await (await look()).text()

    const { headers, body } = await look('slow-body=1')
    const pieces: Uint8Array[] = []
    for await (const piece of body ?? []) pieces.push(piece)
    expect(Buffer.concat(pieces).toString()).toBe(whole)
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(whole)))
    expect(headers.get('content-type')).toBe('application/json')
    expect(pieces.length).toBeGreaterThan(10)
  })

  test.each([
    '',
    'status',
    'status=399',
    'status=600',
    'latency=60001',
    'latency=1e3',
    'reset=1',
    'toString',
  ])('"%s" is refused before any work', async (fault) => {
    const response = await look(fault)
    expect(response.status).toBe(400)

    const errors = [
      { pointer: 'x-sandbox-fault', code: 'invalid_request', detail: expect.any(String) },
    ]
    expect(await response.json()).toMatchObject({ code: 'invalid_request', errors })
  })
})

describe('a fault by rule', () => {
  test('affects one request of any operation by default, and can be removed', async () => {
    const removed = await add({ kind: 'reset' })
    const remove = () => sandbox.control('DELETE', `/faults/${removed.body.id}`)
    expect((await remove()).status).toBe(204)
    expect((await remove()).status).toBe(404)

    const { status, body } = await add({ kind: 'status', status: 500 })
    expect(status).toBe(201)
    expect(body).toEqual({ id: expect.any(String), kind: 'status', status: 500, times: 1 })
    expect(await rules()).toEqual([body])

    expect(await outcome(look())).toBe(500)
    expect(await outcome(look())).toBe(200)
    expect(await rules()).toEqual([])
  })

  test('affects the given number of requests of its operation', async () => {
    await add({ kind: 'status', status: 503, times: 2, operation: 'listUsers' })
    await sandbox.partner.keys.check('beltrana@example.com')
    expect((await rules())[0]?.times).toBe(2)

    expect(await outcome(look())).toBe(503)
    expect(await outcome(look())).toBe(503)
    expect(await outcome(look())).toBe(200)
  })

  test('is overridden by a header, which does not use it up', async () => {
    await add({ kind: 'status', status: 500 })
    expect(await outcome(look('status=404'))).toBe(404)
    expect(await rules()).toHaveLength(1)
  })

  test('after the operation: fails although the work was done', async () => {
    await add({ kind: 'status', status: 500, after: true, operation: 'createTransfer' })
    expect(await payOnce()).toMatchObject({ ok: false, kind: 'outcome_unknown' })
    expect(await transfers()).toHaveLength(1)
  })

  test('reject_transfer: accepts the next transfer, and rejects it at settlement', async () => {
    const { body } = await add({ kind: 'reject_transfer' })
    expect(body).toMatchObject({ operation: 'createTransfer', times: 1 })

    await look()
    expect(await payOnce()).toMatchObject({ ok: true, data: { status: 'pending' } })

    await sandbox.advance(1)
    expect(await transfers()).toMatchObject([
      { status: 'rejected', rejection_message: expect.stringMatching(/^DS04: /) },
    ])
    expect(await rules()).toEqual([])
  })

  test('ends after its seconds, by the clock of the sandbox', async () => {
    const { body } = await add({ kind: 'status', status: 503, seconds: 60 })
    expect(body).toMatchObject({ times: 1_000_000, ends_at: expect.stringMatching(/Z$/) })
    expect(await outcome(look())).toBe(503)
    expect(await outcome(look())).toBe(503)

    await sandbox.advance(60)
    expect(await rules()).toEqual([])
    expect(await outcome(look())).toBe(200)
  })

  test('ends when the clock goes back to before it began', async () => {
    await sandbox.advance(3_600)
    await add({ kind: 'status', status: 503, seconds: 60 })
    expect(await rules()).toHaveLength(1)

    await sandbox.control('POST', '/clock', { reset: true })
    expect(await rules()).toEqual([])
  })

  test('fail_deliveries: fails attempts without sending, then the delivery arrives', async () => {
    const { partner, shop } = sandbox
    const attempts = async () => (await sandbox.state()).webhooks[0]?.deliveries[0]?.attempts
    await partner.webhooks.create({ type: 'all', url: shop.url })
    await add({ kind: 'fail_deliveries', seconds: 60 })
    expect(await outcome(look())).toBe(200)

    await sandbox.pay()
    await sandbox.advance(2)
    expect(await attempts()).toMatchObject([{ ok: false, status: null, reason: 'fault' }])
    expect(shop.got).toEqual([])

    await sandbox.advance(400)
    expect((await attempts())?.at(-1)).toMatchObject({ ok: true, status: 204 })
  })

  test('is refused after a hundred others', async () => {
    for (let i = 0; i < 100; i++) {
      const { status } = await add({ kind: 'reset' })
      expect(status).toBe(201)
    }
    expect((await add({ kind: 'reset' })).status).toBe(409)
    expect(await rules()).toHaveLength(100)
  })
})

test.each(['latency=60000', 'slow-body=60000'])(
  '%s ends when the sandbox closes',
  async (fault) => {
    const other = await start()
    const authorization = await issueToken(other)
    const url = `${other.url}/mobile-bff/v1/partner/user`
    const quick = await fetch(url, { headers: { authorization } })
    const whole = await quick.text()

    const late = fetch(url, { headers: { authorization, 'x-sandbox-fault': fault } })
    // Wait until the body has begun or the request has arrived.
    if (fault.startsWith('slow')) await late
    else await fetch(url, { headers: { authorization } })

    await other.close()
    expect(await (await late).text()).toBe(whole)
  },
)
