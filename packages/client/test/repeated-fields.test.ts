import { describe, expect, it } from 'vitest'
import { KEY, SETTLED, service, TOKEN, TRANSFER } from './service.ts'

const OUT = 'https://pay.example/mobile-bff/v1/pix/out/'

function textResponse(text: string, status: number, type = 'application/json'): Response {
  return new Response(text, { status, headers: { 'content-type': type } })
}

/** How a payment ends in each of the three clients. */
async function endsOf(respond: () => Response, options = {}): Promise<string[]> {
  const { payments, api, safeFetch } = service(respond, { auth: TOKEN, retries: 0, ...options })
  const calls = [
    () => payments.transfers.create(TRANSFER).then(() => 'ok'),
    () => api.POST('/mobile-bff/v1/pix/out/', { body: TRANSFER }).then(endOf),
    () => safeFetch(OUT, { method: 'POST', body: JSON.stringify(TRANSFER) }).then(endOf),
  ]
  const ends: string[] = []
  for (const call of calls) ends.push(await call().catch(({ kind }) => kind))
  return ends
}

function endOf(result: { readonly error?: unknown; readonly ok?: boolean }): string {
  return result.error || result.ok === false ? 'http' : 'ok'
}

describe('a repeated field', () => {
  it('keeps a payment unknown, whatever isRefusal returns', async () => {
    const isRefusal = (_: Response, body: unknown) => (body as { erro: string }).erro === 'saldo'
    const ends = (body: string) => endsOf(() => textResponse(body, 422), { isRefusal })
    expect(await ends('{"erro":"saldo"}')).toEqual(Array(3).fill('http'))
    expect(await ends('{"erro":"pago","erro":"saldo"}')).toEqual(Array(3).fill('outcome_unknown'))
  })

  it('leaves a payment unknown if a success has it', async () => {
    const text = JSON.stringify(SETTLED)
    const twice = text.replace('"amount"', '"amount":"99.00","amount"')
    expect(await endsOf(() => textResponse(text, 201))).toEqual(Array(3).fill('ok'))
    expect(await endsOf(() => textResponse(twice, 201))).toEqual(Array(3).fill('outcome_unknown'))
  })

  it('fails a look-up of a payee, and a page of a list', async () => {
    const key = JSON.stringify(KEY).replace('{', '{"initiation_id":"other",')
    const lookUp = service(() => textResponse(key, 200)).payments.keys.check(KEY.dict_key)
    await expect(lookUp).rejects.toThrow('expected each field once')
    const page = '{"data":[],"next_cursor":"b","next_cursor":null}'
    const list = service(() => textResponse(page, 200)).payments.qrcodes.listImmediate()
    await expect(list).rejects.toMatchObject({ kind: 'decode' })
  })
})
