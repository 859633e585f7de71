import { describe, expect, it } from 'vitest'
import { OutcomeUnknownError } from '../src/index.ts'
import { json, KEY, service, TRANSFER } from './service.ts'

const CHARGE = {
  dict_key: '+5561912345678',
  tx_id: 'PEDIDO1004PEDIDO1004PEDIDO1004',
  amount: { original: '35.90' },
}

function transferOf(amount: unknown) {
  return json({ id: 't', status: 'settled', data: { amount } }, 201)
}

describe('a transfer whose response has the amount', () => {
  it.each(['10.50', '10.5', '010.500', 10.5, '-10.50', '-10.5', 'R$ 10,50', '***'])(
    '%j for 10.50 succeeds',
    async (amount) => {
      const { payments } = service(() => transferOf(amount))
      expect((await payments.transfers.create(TRANSFER).result()).kind).toBe('ok')
    },
  )

  it.each([
    '10.51',
    '1.05',
    '110.50',
    '-110.50',
    'R$ 110,50',
    '0',
    1050,
    '1050',
    'R$ 1050',
    'R$ 1.050',
    'R$ 105,0',
    '1 050',
    '-',
    'abc',
    `${'0'.repeat(99)}10,50`,
  ])('%j for 10.50 leaves the outcome unknown', async (amount) => {
    const { payments, sent } = service(() => transferOf(amount))
    const error = await payments.transfers.create(TRANSFER).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(OutcomeUnknownError)
    expect(error.cause.message).toContain('/data/amount')
    expect(sent).toHaveLength(1)
  })
})

describe('a transfer whose response has two statuses', () => {
  it.each([
    ['rejected', 'rejected'],
    ['pending', 'settled'],
    ['settled', 'pago'],
    ['rejected', undefined],
  ])('%s and %s succeeds', async (status, inside) => {
    const { payments } = service(() =>
      json({ id: 't', status, data: { amount: '10.50', status: inside } }, 201),
    )
    expect((await payments.transfers.create(TRANSFER).result()).kind).toBe('ok')
  })

  it.each([
    ['rejected', 'pending', '/data/status'],
    ['rejected', 'settled', '/data/status'],
    ['rejected', 'aceito', '/data/status'],
    ['pending', 'rejected', '/status'],
  ])('%s and %s leaves the outcome unknown', async (status, inside, pointer) => {
    const { payments, sent } = service(() =>
      json({ id: 't', status, data: { amount: '10.50', status: inside } }, 201),
    )
    const error = await payments.transfers.create(TRANSFER).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(OutcomeUnknownError)
    expect(error.cause.message).toContain(`${pointer} says something else than "rejected"`)
    expect(sent).toHaveLength(1)
  })
})

describe('a response that belongs to another request', () => {
  it('leaves the outcome unknown, names the request and shows no amount', async () => {
    const { payments } = service(() =>
      json({ data: { amount: '99.00' } }, 201, { 'x-request-id': 'req_7' }),
    )
    const error = await payments.transfers.create(TRANSFER).catch((thrown) => thrown)
    expect(error.request.requestId).toBe('req_7')
    expect(`${error} ${error.cause}`).not.toMatch(/99|10\.5/)
  })
})

describe('a charge whose response has', () => {
  it.each([
    [{}],
    [{ dict_key: '61912345678' }],
    [
      {
        dict_key: '+55 (61) 91234-5678',
        tx_id: CHARGE.tx_id.toLowerCase(),
        amount: { original: '35.9' },
      },
    ],
  ])('%j succeeds', async (shown) => {
    const { payments } = service(() => json(shown))
    expect((await payments.qrcodes.createImmediate(CHARGE).result()).kind).toBe('ok')
  })

  it.each([
    [{ dict_key: '+5561912345679' }],
    [{ tx_id: 'PEDIDO1005PEDIDO1005PEDIDO1005' }],
    [{ amount: { original: '35.00' } }],
  ])('%j leaves the outcome unknown', async (shown) => {
    const { payments } = service(() => json(shown))
    expect((await payments.qrcodes.createImmediate(CHARGE).result()).kind).toBe('outcome_unknown')
  })
})

describe('a key check whose response has', () => {
  it.each(['+55 (61) 91234-5678', '61912345678', '***'])('%j succeeds', async (dict_key) => {
    const { payments } = service(() => json({ ...KEY, dict_key }))
    expect((await payments.keys.check(CHARGE.dict_key).result()).kind).toBe('ok')
  })

  it.each([
    { asked: 'ana@example.com', dict_key: 'mariana@example.com' },
    { asked: 'mariana@example.com', dict_key: 'ana@example.com' },
    { asked: 'ana.b@example.com', dict_key: 'anab@example.com' },
    { asked: 'ana@example.com', dict_key: 'm' },
    { asked: 'ana@example.com', dict_key: '@' },
    { asked: 'ana@example.com', dict_key: '?' },
    { asked: '12345678901', dict_key: '00012345678901' },
    { asked: '+5561912345678', dict_key: '5678' },
    { asked: '123e4567-e89b-12d3-a456-426614174000', dict_key: '426614174000' },
  ])('for $asked the key $dict_key fails', async ({ asked, dict_key }) => {
    const { payments } = service(() => json({ ...KEY, dict_key }))
    expect((await payments.keys.check(asked).result()).kind).toBe('decode')
  })

  it.each([
    { asked: 'Ana@Example.com', dict_key: 'ana@example.com' },
    { asked: '12345678901', dict_key: '123.456.789-01' },
    { asked: '123e4567e89b12d3a456426614174000', dict_key: '123E4567-E89B-12D3-A456-426614174000' },
  ])('for $asked the key $dict_key succeeds', async ({ asked, dict_key }) => {
    const { payments } = service(() => json({ ...KEY, dict_key }))
    expect((await payments.keys.check(asked).result()).kind).toBe('ok')
  })

  it('another key cannot be paid', async () => {
    const { payments, sent } = service(() => json({ ...KEY, dict_key: '+5561912345679' }))
    const error = await payments.keys.check(CHARGE.dict_key).catch((thrown) => thrown)
    expect(error).toMatchObject({ kind: 'decode', operationId: 'checkKey' })
    expect(error.message).toContain('/dict_key')
    expect(`${error}`).not.toMatch(/\d{8}/)
    expect(sent).toHaveLength(1)
  })
})
