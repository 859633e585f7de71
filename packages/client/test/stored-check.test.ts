import { describe, expect, it } from 'vitest'
import { createPayments } from '../src/index.ts'
import { broken, json, KEY, problem, service, settle } from './service.ts'

const EMV = '00020126'
const CODE = {
  allow_value_change: false,
  final_amount: '25.00',
  beneficiary: { name: 'Padaria Exemplo Ltda' },
}

/** A service with the two checks, whose transfers end with `outcomes` and then succeed. */
function shop(code: object = CODE, ...outcomes: (Response | Error)[]) {
  const transfers: unknown[] = []
  const clients = service((sent) => {
    if (sent.path.endsWith('/emv/')) return json(code)
    if (sent.path.endsWith('/check/')) return json(KEY)
    transfers.push(sent.body)
    return outcomes.shift() ?? settle(sent)
  })
  return { ...clients, transfers }
}

/** As a database or another process gets it. */
function stored<T>(check: T): T {
  return JSON.parse(JSON.stringify(check))
}

describe('a check that was stored', () => {
  it('of a key is paid by another client, which sends only what pays', async () => {
    const { payments, transfers, options } = shop()
    const check = stored(await payments.keys.check(KEY.dict_key))
    const other = createPayments(options)
    const transfer = await other.pay(check, { amount: '10.50', description: 'Almoço' })
    expect(transfer.status).toBe('settled')
    const { initiation_id, dict_key } = KEY
    expect(transfers).toEqual([
      { type: 'dict', amount: '10.50', description: 'Almoço', initiation_id, dict_key },
    ])
  })

  it('of a code has the code that was checked, and pays what the code fixes', async () => {
    const { payments, transfers } = shop()
    const check = stored(await payments.codes.check(EMV))
    await payments.pay(check)
    expect(transfers).toEqual([{ type: 'emv', emv: EMV, amount: '25.00' }])
  })

  it('of a code that shows another "emv" pays the code that was checked', async () => {
    const { payments, transfers } = shop({ ...CODE, emv: 'another' })
    await payments.pay(stored(await payments.codes.check(EMV)))
    expect(transfers).toMatchObject([{ emv: EMV }])
  })

  it('of a code takes an amount only if the code allows it, and needs one if it has none', async () => {
    const fixed = shop()
    const fixedCheck = stored(await fixed.payments.codes.check(EMV))
    expect(await fixed.payments.pay(fixedCheck, { amount: '1.00' }).result()).toMatchObject({
      kind: 'config',
      error: { message: 'createTransfer: the code fixes the "amount"' },
    })

    const open = shop({ ...CODE, allow_value_change: true, final_amount: '0' })
    const openCheck = stored(await open.payments.codes.check(EMV))
    expect(await open.payments.pay(openCheck).result()).toMatchObject({ kind: 'config' })
    await open.payments.pay(openCheck, { amount: '7.00' })
    expect([fixed.transfers, open.transfers]).toMatchObject([[], [{ amount: '7.00' }]])
  })

  const invalid: readonly unknown[] = [
    undefined,
    null,
    'ini_1',
    [],
    {},
    { emv: EMV },
    { dict_key: 'a@example.com' },
    { initiation_id: 'ini_1', dict_key: '' },
    { initiation_id: 7, dict_key: 'a@example.com' },
    { emv: '', allow_value_change: false, final_amount: '25.00' },
    { emv: EMV, allow_value_change: 'false', final_amount: '25.00' },
    { emv: EMV, allow_value_change: false, final_amount: 25 },
    { emv: EMV, allow_value_change: false, final_amount: '25,00' },
    { ...KEY, emv: EMV, allow_value_change: true, final_amount: '0' },
  ]
  it.each(invalid)('that is %j is refused before anything is sent', async (check) => {
    const { payments, transfers, tokens } = shop()
    const isFixed = JSON.stringify(check)?.includes('"allow_value_change":false')
    const payment = isFixed ? {} : { amount: '10.50' }
    expect(await payments.pay(check as never, payment).result()).toMatchObject({ kind: 'config' })
    expect([transfers, tokens]).toEqual([[], []])
  })

  it('is paid once for each object', async () => {
    const { payments, transfers } = shop()
    const check = stored(await payments.keys.check(KEY.dict_key))
    const results = await Promise.all(
      [1, 2, 3].map(() => payments.pay(check, { amount: '1.00' }).result()),
    )
    expect(results.map(({ kind }) => kind)).toEqual(['ok', 'config', 'config'])
    expect(transfers).toHaveLength(1)
  })

  it('shares the guard with `pay` of the same object', async () => {
    const { payments, transfers } = shop(CODE, broken('ECONNRESET'))
    const payee = await payments.keys.check(KEY.dict_key)
    expect((await payee.pay({ amount: '1.00' }).result()).kind).toBe('outcome_unknown')
    await expect(payments.pay(payee, { amount: '1.00' })).rejects.toThrow('may have been paid')
    expect(transfers).toHaveLength(1)
  })
})

describe('a refused payment', () => {
  interface Refused {
    readonly name: string
    readonly refusal: () => Response
    readonly provesUnpaid: boolean
  }
  const inOtherWords = (status: number) => () =>
    json({ type: 'about:blank', title: 'Bad Request', status }, status)
  const refusals: readonly Refused[] = [
    {
      name: 'too little money',
      refusal: () => problem(422, 'insufficient_funds'),
      provesUnpaid: true,
    },
    { name: 'its form', refusal: () => problem(400, 'invalid_request'), provesUnpaid: true },
    { name: 'its media type', refusal: inOtherWords(415), provesUnpaid: true },
    { name: 'the token', refusal: () => problem(401, 'invalid_token'), provesUnpaid: true },
    {
      name: 'a used initiation_id',
      refusal: () => problem(409, 'initiation_used'),
      provesUnpaid: false,
    },
    {
      name: 'a 409 of any code',
      refusal: () => problem(409, 'invalid_request'),
      provesUnpaid: false,
    },
    {
      name: 'a used one as a 400',
      refusal: () => problem(400, 'initiation_used'),
      provesUnpaid: false,
    },
    { name: 'a 400 in other words', refusal: inOtherWords(400), provesUnpaid: false },
    { name: 'a 404 in other words', refusal: inOtherWords(404), provesUnpaid: false },
    { name: 'a 422 of an unknown code', refusal: () => problem(422, 'usado'), provesUnpaid: false },
  ]
  it.each(refusals)('because of $name: provesUnpaid is $provesUnpaid', async (row) => {
    const { payments } = shop(CODE, row.refusal(), row.refusal())
    const payee = await payments.keys.check(KEY.dict_key)
    const result = await payee.pay({ amount: '1.00' }).result()
    expect(result).toMatchObject({ kind: 'http', error: { provesUnpaid: row.provesUnpaid } })
    const again = await payee.pay({ amount: '1.00' }).result()
    const isBlocked = again.kind === 'config'
    expect(isBlocked).toBe(!row.provesUnpaid)
  })

  it.each([
    {
      title: 'is not one after a 500 with a code of the contract, whose cause proves nothing',
      respond: () => problem(500, 'insufficient_funds'),
    },
    {
      title: 'is not one after a 429 of a gateway, whose cause proves nothing',
      respond: () => json({ status: 429 }, 429),
    },
  ])('$title', async ({ respond }) => {
    const { payments } = shop(CODE, respond())
    const payee = await payments.keys.check(KEY.dict_key)
    expect(await payee.pay({ amount: '1.00' }).result()).toMatchObject({
      kind: 'outcome_unknown',
      error: { cause: { kind: 'http', provesUnpaid: false } },
    })
  })

  it('is not one if the sign-in before it failed: nothing was paid', async () => {
    const { payments } = service(
      () => json({}),
      { retries: 0 },
      () => problem(503, 'unavailable'),
    )
    const { error } = (await payments.users.list().result()) as { error?: object }
    expect(error).toMatchObject({ operationId: 'signIn', provesUnpaid: true })
  })
})
