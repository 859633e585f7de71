import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { masked, maskedHeaders } from '../../src/control/mask.ts'
import type { EventDetails, Exchange } from '../../src/page/browser/state.ts'
import { type Ask, basic, type ParsedResponse, signInPartner } from '../callers.ts'
import { respondWith, receiver as scripted } from '../deliveries/receivers.ts'
import { start } from '../started.ts'

const sandbox = await start()
afterAll(sandbox.close)
let ask: Ask
beforeEach(async () => {
  await sandbox.control('POST', '/reset')
  ask = await signInPartner(sandbox)
})

const authorization = basic('partner', 'secret')
const idOf = ({ headers }: ParsedResponse) => headers.get('x-request-id')
const find = (id: string | null = '') => sandbox.control<Exchange>('GET', `/requests/${id}`)
const show = async (response: ParsedResponse) => {
  const { body } = await find(idOf(response))
  return body
}

describe('a request', () => {
  test('shows both sides, and masks credentials, tokens and secrets', async () => {
    const signedIn = await ask('POST', '/auth/partner/token/', { authorization })
    const shown = await show(signedIn)
    expect(shown).toMatchObject({
      method: 'POST',
      path: '/mobile-bff/v1/auth/partner/token/',
      request: { headers: expect.arrayContaining([['authorization', 'Basic ••••••']]) },
      response: { headers: expect.arrayContaining([['content-type', 'application/json']]) },
      refusal: null,
    })
    expect(JSON.stringify(shown)).not.toContain(signedIn.body.access_token)
    expect(JSON.stringify(shown)).not.toContain(signedIn.body.refresh_token)
    expect(shown.response?.body?.text).toContain('"type":"Bearer"')
  })

  test('shows the reason of its refusal, and the entry of the error catalogue', async () => {
    const refused = await ask('POST', '/pix/out/?a=b&token=mine', { body: '{"type": "dict"}' })
    const { query, request, refusal } = await show(refused)
    expect(query).toBe('?a=b&token=••••••')
    expect(request.body).toEqual({ text: '{"type": "dict"}', bytes: 16, is_cut: false })
    expect(refusal).toMatchObject({
      code: 'invalid_request',
      errors: expect.arrayContaining([expect.objectContaining({ pointer: '/amount' })]),
      when: expect.stringContaining('does not match its schema'),
      fix: expect.stringContaining('Correct the fields'),
      question: 'errors',
    })
  })

  test('shows that its body was not read if it was refused before', async () => {
    const refused = await ask('POST', '/pix/out/', { authorization: '', body: '{}' })
    expect((await show(refused)).request.body).toBeNull()
  })

  test('has no response after a reset fault, and the lost response after a lose-response fault', async () => {
    for (const fault of ['reset', 'lose-response']) {
      const headers = { authorization, 'x-sandbox-fault': fault }
      const url = `${sandbox.url}/mobile-bff/v1/auth/partner/token/`
      await fetch(url, { method: 'POST', headers }).catch(() => {})
    }

    const { requests } = await sandbox.state()
    const [lost, reset] = requests
    const lostExchange = await find(lost?.request_id)
    expect(lostExchange.body.response?.body?.text).toContain('"type":"Bearer"')

    const resetExchange = await find(reset?.request_id)
    expect(resetExchange.body.response).toBeNull()
  })

  test('keeps the start of a long body', async () => {
    const body = JSON.stringify({ message: 'x'.repeat(60_000) })
    const { request } = await show(await ask('POST', '/pix/qrcode/static/', { body }))
    expect(request.body).toEqual({ text: body.slice(0, 16_384), bytes: body.length, is_cut: true })
  })

  test('is dropped after a hundred others, and by a reset', async () => {
    const first = idOf(await ask('GET', '/nowhere'))
    let last = first
    for (let i = 0; i < 100; i++) last = idOf(await ask('GET', '/nowhere'))

    expect((await find(first)).status).toBe(404)
    expect((await find(last)).status).toBe(200)

    await sandbox.control('POST', '/reset')
    expect((await find(last)).status).toBe(404)
  })
})

describe('an attempt of a delivery', () => {
  test('shows what was sent, what was signed, and the start of the response', async () => {
    const { shop } = sandbox
    const { secret } = await sandbox.partner.webhooks.create({ type: 'all', url: shop.url })
    const attempt = await attemptOf()
    const delivery = shop.got[0]
    expect(attempt?.exchange).toMatchObject({
      url: shop.url,
      headers: expect.arrayContaining([['webhook-id', delivery?.id]]),
      signed_content: `${delivery?.id}.${delivery?.timestamp}.${delivery?.body}`,
      response: { headers: expect.arrayContaining([['connection', 'close']]), body: { bytes: 0 } },
    })
    expect(JSON.stringify(attempt)).not.toContain(secret.slice(6))
  })

  test('shows 2 kB of the response headers', async () => {
    const longHeaders = `x-first: a\r\nx-token: ${'b'.repeat(4_000)}\r\nx-last: c\r\n`
    await using long = await scripted(respondWith(200, longHeaders))
    await sandbox.partner.webhooks.create({ type: 'all', url: `${long.url}?token=mine` })
    const { webhooks } = await sandbox.state()
    expect(webhooks[0]?.url).toBe(`${long.url}?token=••••••`)

    const attempt = await attemptOf()
    const { headers = [] } = attempt?.exchange?.response ?? {}
    expect(headers.slice(0, 2)).toEqual([
      ['x-first', 'a'],
      ['x-token', '••••••'],
    ])
    expect(headers).toHaveLength(2)
  })

  test('is verified by the built-in receiver, which refuses a forged one', async () => {
    const url = `${sandbox.url}/_sandbox/receiver`
    await sandbox.partner.webhooks.create({ type: 'all', url })
    const attempt = await attemptOf()
    const exchange = attempt?.exchange
    expect(attempt?.ok).toBe(true)
    expect(JSON.parse(exchange?.response?.body?.text ?? '')).toEqual({
      received: 'transfer.settled',
      signature: 'verified',
    })

    const headers = new Headers(exchange?.headers.map(([name, value]) => [name, value]))
    const forged = await fetch(url, { method: 'POST', headers, body: '{"type":"qrcode.paid"}' })
    expect(forged.status).toBe(400)
    expect(await forged.json()).toMatchObject({ signature: 'signature-mismatch' })

    headers.set('webhook-id', 'msg_nobody')
    const unknown = await fetch(url, { method: 'POST', headers, body: '{}' })
    expect(unknown.status).toBe(400)

    const unsigned = await fetch(url, { method: 'POST', body: '{}' })
    expect(unsigned.status).toBe(400)
  })

  test('is taken by the built-in receiver although it is larger than any request', async () => {
    const url = `${sandbox.url}/_sandbox/receiver`
    await sandbox.partner.webhooks.create({ type: 'qrcode', url })
    const { id } = await sandbox.partner.qrcodes.createImmediate({
      dict_key: '12ABC34501DE35',
      tx_id: 'A'.repeat(26),
      amount: { original: '10.00' },
      payer: { name: 'a'.repeat(65_000), tax_id: '12345678909' },
    })
    await sandbox.control('POST', `/qrcodes/${id}/pay`)
    await sandbox.advance(2)

    const { webhooks } = await sandbox.state()
    expect(webhooks[0]?.deliveries[0]).toMatchObject({ status: 'delivered' })
  })

  async function attemptOf() {
    await sandbox.pay()
    await sandbox.advance(2)
    const { webhooks } = await sandbox.state()
    const { event_id } = webhooks[0]?.deliveries[0] ?? {}
    const { body } = await sandbox.control<EventDetails>('GET', `/events/${event_id}`)
    return body.deliveries[0]?.attempts[0]
  }
})

describe('a mask', () => {
  const SECRET = 'sssssssssss'
  test.each([
    `{"secret":"${SECRET}"}`,
    `{"accessToken":"x${SECRET}\\"y"}`,
    `{"apiKey":"${SECRET}"}`,
    `{"api_key":"${SECRET}"}`,
    `{"Client-Secret":"${SECRET}"}`,
    `{"initiationId":"${SECRET}"}`,
    `{"initiation-id":"${SECRET}"}`,
    `?apikey=${SECRET}`,
    `?ApiKey=${SECRET}`,
    `{"secr\\u0065t":"${SECRET}"}`,
    `{"a":"whsec_${SECRET}"}`,
    `grant_type=x&client_secret=${SECRET}&b=c`,
    `?access%5Ftoken=${SECRET}`,
    `{"token":{"kind":"a","nested":[{"value":"${SECRET}"}]}}`,
    `{"secret":["}","${SECRET}`,
    `{"url":"https:\\/\\/shop.example\\/?tok\\u0065n\\u003d${SECRET}"}`,
    `{"url":"https://user:${SECRET}@shop.example/"}`,
    `{"body":${JSON.stringify(JSON.stringify({ body: JSON.stringify({ secret: SECRET }) }))}}`,
    `5" of pipe {"secret":"${SECRET}"}`,
    `token=a=${SECRET}&b=c`,
    `{"token":"${SECRET}","token":true}`,
    `{"url":"https://shop.example/?next=https://a.example/?token=${SECRET}"}`,
    `{"token":"${SECRET}"${'['.repeat(60_000)}`,
  ])('hides the secret in %s', (text) => {
    expect(masked(text)).not.toContain(SECRET)
  })

  test.each([
    '{ "amount": "1.00", "type": "dict" }',
    '{"detail":"\\"token\\" is missing"}',
    '{"token":true,"secret":null}',
    '{"text":"C:\\\\a\\/b"}',
  ])('leaves %s as it is', (text) => {
    expect(masked(text)).toBe(text)
  })

  test('leaves what follows a masked value', () => {
    expect(masked('{"secret":[1,{"a":"]"}],"type":"all","token":7,"b":"?token=x&c=d"}')).toBe(
      '{"secret":"••••••","type":"all","token":"••••••","b":"?token=••••••&c=d"}',
    )
  })

  test('keeps the scheme of credentials, and the names of headers', () => {
    const shown = maskedHeaders([
      ['authorization', `Bearer ${SECRET}`],
      ['Cookie', `a=${SECRET}`],
      ['x-api-key', SECRET],
      ['www-authenticate', 'Basic realm="partner"'],
    ])
    expect(shown).toEqual([
      ['authorization', 'Bearer ••••••'],
      ['Cookie', '••••••'],
      ['x-api-key', '••••••'],
      ['www-authenticate', 'Basic realm="partner"'],
    ])
  })
})
