import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ConfigError, fromCentavos, toCentavos } from '../src/index.ts'
import { json, SETTLED, service, settle, TRANSFER } from './service.ts'

describe('amounts', () => {
  it.each([
    { amount: '0', centavos: 0n },
    { amount: '10.50', centavos: 1050n },
    { amount: '10.5', centavos: 1050n },
    { amount: '7', centavos: 700n },
    { amount: '-1.05', centavos: -105n },
    { amount: '-0.05', centavos: -5n },
    { amount: '1.2300', centavos: 123n },
    { amount: '9007199254740993.01', centavos: 900719925474099301n },
  ])('$amount is $centavos centavos', ({ amount, centavos }) =>
    expect(toCentavos(amount)).toBe(centavos),
  )

  it.each([
    '',
    '.',
    '1.',
    '.5',
    '1,50',
    '1e3',
    '+1',
    ' 1',
    '1.234',
    '1.001',
    'NaN',
    '--1',
    '١',
    10.5,
    1050n,
    null,
  ])('refuses %s', (amount) => {
    expect(() => toCentavos(amount as string)).toThrow(ConfigError)
  })

  it.each([10.5, '1050', null])('refuses %s as centavos', (centavos) => {
    expect(() => fromCentavos(centavos as unknown as bigint)).toThrow(ConfigError)
  })

  it('rejects a long string quickly', () => {
    expect(() => toCentavos('9'.repeat(1e6))).toThrow(ConfigError)
  })

  it('convert to centavos and back without loss', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), (centavos) => {
        const amount = fromCentavos(centavos)
        expect(amount).toMatch(/^-?\d+\.\d{2}$/)
        expect(toCentavos(amount)).toBe(centavos)
      }),
    )
  })
})

describe('an amount that is sent', () => {
  const OUT = '/mobile-bff/v1/pix/out/'
  const invalid = [
    '10,50',
    10.5,
    ' 10.50',
    '10.50 ',
    '1e3',
    '',
    '+1.00',
    '-1.00',
    '.50',
    '10.',
    null,
  ]

  it.each([...invalid, '0.00', '0', undefined])(
    'of a transfer is refused before anything is sent: %j',
    async (value) => {
      const { payments, api, safeFetch, sent, tokens } = service(() => json(SETTLED, 201))
      const amount = value as string
      const body = { ...TRANSFER, amount }
      const message = expect.stringMatching(
        /createTransfer: "\/amount" must be a decimal string above zero such as "10\.50", got /,
      )
      const refused = { kind: 'config', message }
      await expect(payments.transfers.create(body)).rejects.toMatchObject(refused)
      await expect(api.POST(OUT, { body })).rejects.toMatchObject(refused)
      const text = JSON.stringify(body)
      const url = `https://pay.example${OUT}`
      await expect(safeFetch(url, { method: 'POST', body: text })).rejects.toMatchObject(refused)
      await expect(api.POST('/pix/out', { body })).rejects.toMatchObject({ kind: 'config' })
      expect([sent, tokens]).toEqual([[], []])
    },
  )

  it.each(invalid.filter((value) => value !== null))(
    'of a QR code is refused before anything is sent: %j',
    async (value) => {
      const { payments, sent, tokens } = service(() => json({}))
      const amount = value as string
      const dict_key = 'a@example.com'
      const tx_id = 'PEDIDO1004PEDIDO1004PEDIDO1004'
      const calls = [
        payments.qrcodes.createStatic({ dict_key, amount }),
        payments.qrcodes.createImmediate({ dict_key, tx_id, amount: { original: amount } }),
        payments.qrcodes.createDueDate({
          dict_key,
          tx_id,
          amount: { original: '10.50', fine: { amount, modality: '1' } },
        }),
      ]
      for (const call of calls) await expect(call).rejects.toMatchObject({ kind: 'config' })
      expect([sent, tokens]).toEqual([[], []])
    },
  )

  it('may be absent where the contract allows it, and may have any number of decimals', async () => {
    const { payments, sent } = service((received) =>
      received.path.includes('/out/') ? settle(received) : json({}),
    )
    const tx_id = 'PEDIDO1004PEDIDO1004PEDIDO1004'
    await payments.qrcodes.createImmediate({ dict_key: 'a@example.com', tx_id })
    await payments.transfers.create({ ...TRANSFER, amount: '10' })
    expect(sent).toHaveLength(2)
  })

  it('is not shown if it is no number, since it may be a name in the wrong field', async () => {
    const { payments } = service(() => json({}))
    const call = payments.transfers.create({ ...TRANSFER, amount: 'Beltrana de Tal' })
    await expect(call).rejects.toThrow('such as "10.50", got ***')
  })
})
