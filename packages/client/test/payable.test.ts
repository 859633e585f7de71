import { describe, expect, it } from 'vitest'
import { broken, json, KEY, problem, service, settle } from './service.ts'

const code = (allow_value_change: boolean, final_amount: string) => ({
  allow_value_change,
  final_amount,
  beneficiary: { name: 'Padaria Exemplo Ltda' },
})

/**
 * A service whose checks return `check`, and whose transfers return the outcomes in turn and then
 * succeed.
 */
function serviceOf(check: object, ...outcomes: (Response | Error)[]) {
  const transfers: unknown[] = []
  const clients = service((sent) => {
    const isTransfer = sent.path.endsWith('/pix/out/')
    if (!isTransfer) return json(check)
    transfers.push(sent.body)
    return outcomes.shift() ?? settle(sent)
  })
  return { ...clients, transfers }
}

async function checkedKey(...outcomes: (Response | Error)[]) {
  const { payments, transfers } = serviceOf(KEY, ...outcomes)
  return { payee: await payments.keys.check('A@example.com'), transfers }
}

describe('a checked key', () => {
  it('is paid as dict with the initiation_id of the check', async () => {
    const { payments, transfers } = serviceOf(KEY)
    const payee = await payments.keys.check('A@example.com')
    expect(payee.owner_name).toBe('Beltrana de Tal')
    const transfer = await payee.pay({ amount: '10.50', description: 'Almoço' })
    expect(transfer.status).toBe('settled')
    const { initiation_id, dict_key } = KEY
    expect(transfers).toEqual([
      { type: 'dict', amount: '10.50', description: 'Almoço', initiation_id, dict_key },
    ])
  })

  it('serializes only its data', async () => {
    const { payments } = serviceOf(KEY)
    expect(JSON.parse(JSON.stringify(await payments.keys.check('a@example.com')))).toEqual(KEY)
  })

  it.each([10.5, '', '0', '0.00', '-5.00', '1,50', 'R$ 1', '1e3', undefined, null, 1050n])(
    'refuses the amount %s and stays payable',
    async (amount) => {
      const { payee, transfers } = await checkedKey()
      const refused = await payee.pay({ amount: amount as string }).result()
      expect(refused).toMatchObject({
        kind: 'config',
        error: { message: expect.stringContaining('"amount"') },
      })
      await payee.pay({ amount: '1.00' })
      expect(transfers).toHaveLength(1)
    },
  )
})

describe('a checked code', () => {
  const EMV = '00020126'

  it('is paid as emv with its final amount', async () => {
    const { payments, transfers } = serviceOf(code(false, '25.00'))
    const checked = await payments.codes.check(EMV)
    await checked.pay({ description: 'Pão' })
    expect(transfers).toEqual([{ type: 'emv', amount: '25.00', emv: EMV, description: 'Pão' }])
  })

  it('refuses an amount if the code fixes it', async () => {
    const { payments, transfers } = serviceOf(code(false, '25.00'))
    const checked = await payments.codes.check(EMV)
    expect(await checked.pay({ amount: '1.00' } as never).result()).toMatchObject({
      kind: 'config',
    })
    expect(transfers).toEqual([])
  })

  it('accepts an amount if the code allows it, and requires one if the code has none', async () => {
    const { payments, transfers } = serviceOf(code(true, '0'))
    const checked = await payments.codes.check(EMV)
    expect(checked.allow_value_change && (await checked.pay().result())).toMatchObject({
      kind: 'config',
    })
    if (checked.allow_value_change) await checked.pay({ amount: '7.00' })
    expect(transfers).toEqual([{ type: 'emv', amount: '7.00', emv: EMV }])
  })

  it('cannot be turned into another payment by extra fields', async () => {
    const { payments, transfers } = serviceOf(code(false, '25.00'))
    const checked = await payments.codes.check(EMV)
    expect(await checked.pay({ type: 'dict', emv: 'other' } as never).result()).toMatchObject({
      kind: 'config',
      error: { message: expect.stringContaining('"type" is not a field of a payment') },
    })
    expect(transfers).toEqual([])
  })
})

describe('a check is paid at most once', () => {
  it('with concurrent calls of pay', async () => {
    const { payee, transfers } = await checkedKey()
    const results = await Promise.all(
      Array.from({ length: 5 }, () => payee.pay({ amount: '1.00' }).result()),
    )
    expect(results.map(({ kind }) => kind)).toEqual(['ok', ...Array(4).fill('config')])
    expect(transfers).toHaveLength(1)
  })

  it('with later calls of pay', async () => {
    const { payee, transfers } = await checkedKey()
    await payee.pay({ amount: '1.00' })
    await expect(payee.pay({ amount: '1.00' })).rejects.toThrow('was paid')
    expect(transfers).toHaveLength(1)
  })

  it('a refusal makes it payable again', async () => {
    const { payee, transfers } = await checkedKey(problem(422, 'insufficient_funds'))
    expect(await payee.pay({ amount: '9.00' }).result()).toMatchObject({ status: 422 })
    expect(await payee.pay({ amount: '1.00' }).result()).toMatchObject({ ok: true })
    expect(transfers).toHaveLength(2)
  })

  it.each([
    broken('ECONNRESET'),
    problem(500, 'internal_error'),
    new Response('', { status: 201 }),
  ])('an unknown outcome keeps it blocked', async (outcome) => {
    const { payee, transfers } = await checkedKey(outcome)
    expect(await payee.pay({ amount: '1.00' }).result()).toMatchObject({ kind: 'outcome_unknown' })
    await expect(payee.pay({ amount: '1.00' })).rejects.toThrow('may have been paid')
    expect(transfers).toHaveLength(1)
  })

  it('another check of the same key can be paid', async () => {
    const { payments, transfers } = serviceOf(KEY)
    for (let time = 0; time < 2; time++) {
      const payee = await payments.keys.check('a@example.com')
      await payee.pay({ amount: '1.00' })
    }
    expect(transfers).toHaveLength(2)
  })
})
