import { describe, expect, it, vi } from 'vitest'
import { broken, json, KEY, problem, SETTLED, service, TOKEN, TRANSFER, USERS } from './service.ts'

/** A service that was written from the source document alone, which shows no error. */

const OUT = '/mobile-bff/v1/pix/out/'
const CANCEL = '/mobile-bff/v1/pix/qrcode/dynamic/immediate/{id}'

const noMoney = () => json({ erro: 'saldo_insuficiente' }, 422)
const isNoMoney = (_: Response, body: unknown) =>
  (body as { readonly erro?: string } | undefined)?.erro === 'saldo_insuficiente'

/** What a payment ends with, and how often it was sent. */
async function outcomeOf(
  respond: () => Response | Error,
  isRefusal?: (r: Response, b: unknown) => unknown,
) {
  const { payments, sent } = service(respond, {
    auth: TOKEN,
    isRefusal: isRefusal as () => boolean,
  })
  const result = await payments.transfers.create(TRANSFER).result()
  return [result.kind, sent.length]
}

describe('isRefusal', () => {
  it('is off by default: an error in another shape may have been paid', async () => {
    expect(await outcomeOf(noMoney)).toEqual(['outcome_unknown', 1])
  })

  it('ends a payment as refused, by resource and by path', async () => {
    expect(await outcomeOf(noMoney, isNoMoney)).toEqual(['http', 1])
    const { api } = service(noMoney, { auth: TOKEN, isRefusal: isNoMoney })
    const { error } = await api.POST(OUT, { body: TRANSFER })
    expect(error).toEqual({ erro: 'saldo_insuficiente' })
  })

  it('vouches that nothing was paid, so that the check is payable again', async () => {
    const respond = ({ path }: { path: string }) => (path.includes('check') ? json(KEY) : noMoney())
    const { payments, sent } = service(respond, { auth: TOKEN, isRefusal: isNoMoney })
    const payee = await payments.keys.check(KEY.dict_key)
    const refused = { kind: 'http', error: { provesUnpaid: true } }
    expect(await payee.pay({ amount: '9.00' }).result()).toMatchObject(refused)
    expect(await payee.pay({ amount: '1.00' }).result()).toMatchObject(refused)
    expect(sent).toHaveLength(3)
  })

  it.each([
    { title: 'vouches for nothing if it returns a promise', isRefusal: async () => true },
    { title: 'vouches for nothing if it returns a word', isRefusal: () => 'yes' },
    { title: 'vouches for nothing if it returns nothing', isRefusal: () => undefined },
    {
      title: 'vouches for nothing if it throws',
      isRefusal: () => {
        throw new Error('no')
      },
    },
  ])('$title', async ({ isRefusal }) => {
    expect(await outcomeOf(noMoney, isRefusal)).toEqual(['outcome_unknown', 1])
  })

  it.each([429, 503])('never sends a payment again that it called refused: %i', async (status) => {
    const busy = () => json({ erro: 'ocupado' }, status, { 'retry-after': '0' })
    expect(await outcomeOf(busy, () => true)).toEqual(['http', 1])
  })

  it('is not asked about a success, a redirect, or a response that did not arrive', async () => {
    const isRefusal = vi.fn(() => true)
    expect(await outcomeOf(() => json({}, 201), isRefusal)).toEqual(['outcome_unknown', 1])
    expect(await outcomeOf(() => json({}, 200), isRefusal)).toEqual(['outcome_unknown', 1])
    expect(await outcomeOf(() => json({}, 302), isRefusal)).toEqual(['outcome_unknown', 1])
    expect(await outcomeOf(() => broken('ECONNRESET'), isRefusal)).toEqual(['outcome_unknown', 1])
    expect(isRefusal).not.toHaveBeenCalled()
  })

  it('cannot turn a proven refusal into an unknown outcome', async () => {
    const refused = () => problem(422, 'insufficient_funds')
    expect(await outcomeOf(refused, () => false)).toEqual(['http', 1])
  })
})

describe('a cancellation with an empty body', () => {
  const cancelled = () => new Response('', { status: 200 })

  it('succeeds without data, by resource and by path', async () => {
    const { payments, api, safeFetch } = service(cancelled, { auth: TOKEN })
    expect(await payments.qrcodes.cancelImmediate('q').result()).toMatchObject({
      ok: true,
      data: undefined,
    })
    expect(await payments.qrcodes.cancelDueDate('q')).toBeUndefined()

    const { data, error } = await api.DELETE(CANCEL, { params: { path: { id: 'q' } } })
    expect([data, error]).toEqual([undefined, undefined])

    const url = `https://pay.example${CANCEL.replace('{id}', 'q')}`
    const response = await safeFetch(url, { method: 'DELETE' })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })

  it.each([201, 202, 204])('fails with the status %i', async (status) => {
    const { payments } = service(() => new Response(null, { status }), { auth: TOKEN })
    expect((await payments.qrcodes.cancelImmediate('q').result()).kind).toBe('decode')
  })

  it('fails with a page instead of it', async () => {
    const { payments } = service(() => new Response('<html>'), { auth: TOKEN })
    expect((await payments.qrcodes.cancelImmediate('q').result()).kind).toBe('decode')
  })

  it('is no rule for a creation, whose code nobody could show', async () => {
    const { payments } = service(cancelled, { auth: TOKEN })
    const body = { dict_key: 'a@example.com', tx_id: 'PEDIDO1004PEDIDO1004PEDIDO1004' }
    expect((await payments.qrcodes.createImmediate(body).result()).kind).toBe('outcome_unknown')
  })
})

describe('the scheme of a token', () => {
  const headerWith = async (scheme?: string) => {
    const auth = scheme === undefined ? TOKEN : { ...TOKEN, scheme }
    const { payments, sent } = service(() => json(USERS), { auth })
    await payments.users.list()
    return sent[0]?.headers.authorization
  }

  it('is Bearer unless it is set, and an empty one sends the token alone', async () => {
    expect(await headerWith()).toBe('Bearer t')
    expect(await headerWith('')).toBe('t')
    expect(await headerWith('Token')).toBe('Token t')
  })

  it('is that of signed-in and impersonated tokens too, and not of the sign-in', async () => {
    const auth = { clientKey: 'key', clientSecret: 'secret', scheme: '' }
    const { payments, sent, tokens } = service(() => json(USERS), { auth })
    await payments.as({ customer_id: 'c', user_id: 'u' }).users.list()
    expect(tokens.map(({ headers }) => headers.authorization)).toEqual([
      expect.stringMatching(/^Basic /),
      'token-1',
    ])
    expect(sent[0]?.headers.authorization).toBe('token-2')
  })

  it.each(['Bearer ', 'a b', 'a\nb', null, 1])('is refused if it is %j', (scheme) => {
    const auth = { ...TOKEN, scheme: scheme as string }
    expect(() => service(() => json(SETTLED), { auth })).toThrow('"auth.scheme" must be one word')
  })
})
