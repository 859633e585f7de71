import { describe, expect, it } from 'vitest'
import { broken, json, problem, service } from './service.ts'

const KEY = { initiation_id: 'ini_1', dict_key: 'beltrana@example.com', owner_name: 'Beltrana de Tal' }
const code = (allow_value_change: boolean, final_amount: string) => ({ allow_value_change, final_amount })
const PAID = { id: 't', status: 'settled', data: {} }

/** Checks succeed with `check`; transfers get the answers in turn, the last one again and again. */
function desk(check: object, ...answers: (Response | Error)[]) {
  const transfers: unknown[] = []
  const made = service(({ path, body }) => {
    if (!path.endsWith('/pix/out/')) return json(check)
    transfers.push(body)
    const answer = answers[Math.min(transfers.length, answers.length) - 1] ?? json(PAID, 201)
    return answer instanceof Error ? answer : answer.clone()
  })
  return { ...made, transfers }
}

describe('a checked key', () => {
  it('is paid with the initiation_id of the check, as dict', async () => {
    const { payments, transfers } = desk(KEY)
    const payee = await payments.keys.check('Beltrana@example.com')
    expect(payee.owner_name).toBe('Beltrana de Tal')
    const transfer = await payee.pay({ amount: '10.50', description: 'Almoço' })
    expect(transfer.status).toBe('settled')
    const { initiation_id, dict_key } = KEY
    expect(transfers).toEqual([
      { type: 'dict', amount: '10.50', description: 'Almoço', initiation_id, dict_key },
    ])
  })

  it('shows its data alone to JSON', async () => {
    const { payments } = desk(KEY)
    expect(JSON.parse(JSON.stringify(await payments.keys.check('beltrana@example.com')))).toEqual(KEY)
  })

  it.each([10.5, '', '0', '0.00', undefined, null, 1050n])(
    'refuses the amount %s, and may then be paid',
    async (amount) => {
      const { payments, transfers } = desk(KEY)
      const payee = await payments.keys.check('beltrana@example.com')
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

  it('is paid with its final amount, as emv', async () => {
    const { payments, transfers } = desk(code(false, '25.00'))
    const checked = await payments.codes.check(EMV)
    await checked.pay({ description: 'Pão' })
    expect(transfers).toEqual([{ type: 'emv', amount: '25.00', emv: EMV, description: 'Pão' }])
  })

  it('takes no amount where the code fixes it', async () => {
    const { payments, transfers } = desk(code(false, '25.00'))
    const checked = await payments.codes.check(EMV)
    expect(await checked.pay({ amount: '1.00' } as never).result()).toMatchObject({ kind: 'config' })
    expect(transfers).toEqual([])
  })

  it('takes an amount where the code leaves it open, and needs one where it shows none', async () => {
    const { payments, transfers } = desk(code(true, '0'))
    const checked = await payments.codes.check(EMV)
    expect(checked.allow_value_change && (await checked.pay().result())).toMatchObject({ kind: 'config' })
    if (checked.allow_value_change) await checked.pay({ amount: '7.00' })
    expect(transfers).toEqual([{ type: 'emv', amount: '7.00', emv: EMV }])
  })

  it('cannot be turned into another payment by what goes with it', async () => {
    const { payments, transfers } = desk(code(false, '25.00'))
    const checked = await payments.codes.check(EMV)
    await checked.pay({ type: 'dict', emv: 'other', amount: undefined } as never)
    expect(transfers).toEqual([{ type: 'emv', amount: '25.00', emv: EMV }])
  })
})

describe('what was checked is paid at most once', () => {
  it('however often pay is called at the same time', async () => {
    const { payments, transfers } = desk(KEY)
    const payee = await payments.keys.check('beltrana@example.com')
    const results = await Promise.all(Array.from({ length: 5 }, () => payee.pay({ amount: '1.00' }).result()))
    expect(results.map(({ kind }) => kind)).toEqual(['ok', ...Array(4).fill('config')])
    expect(transfers).toHaveLength(1)
  })

  it('however often pay is called later', async () => {
    const { payments, transfers } = desk(KEY)
    const payee = await payments.keys.check('beltrana@example.com')
    await payee.pay({ amount: '1.00' })
    await expect(payee.pay({ amount: '1.00' })).rejects.toThrow('was paid')
    expect(transfers).toHaveLength(1)
  })

  it('a refusal frees it', async () => {
    const { payments, transfers } = desk(KEY, problem(422, 'insufficient_funds'), json(PAID, 201))
    const payee = await payments.keys.check('beltrana@example.com')
    expect(await payee.pay({ amount: '9.00' }).result()).toMatchObject({ status: 422 })
    expect(await payee.pay({ amount: '1.00' }).result()).toMatchObject({ ok: true })
    expect(transfers).toHaveLength(2)
  })

  it.each([broken('ECONNRESET'), problem(500, 'internal_error'), new Response('', { status: 201 })])(
    'an unknown outcome keeps it blocked',
    async (answer) => {
      const { payments, transfers } = desk(KEY, answer)
      const payee = await payments.keys.check('beltrana@example.com')
      expect(await payee.pay({ amount: '1.00' }).result()).toMatchObject({ kind: 'outcome_unknown' })
      await expect(payee.pay({ amount: '1.00' })).rejects.toThrow('may have been paid')
      expect(transfers).toHaveLength(1)
    },
  )

  it('a check of its own may be paid on its own', async () => {
    const { payments, transfers } = desk(KEY)
    for (let time = 0; time < 2; time++)
      await (await payments.keys.check('beltrana@example.com')).pay({ amount: '1.00' })
    expect(transfers).toHaveLength(2)
  })
})
