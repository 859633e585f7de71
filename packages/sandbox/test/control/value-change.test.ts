import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BACKENDS, newState } from '../backends.ts'
import { createAsker, DEBTOR, issueToken, newTxId, summarize } from '../callers.ts'
import { refusal, type Started, start } from '../started.ts'

const KEY = '12ABC34501DE35'

describe.each(BACKENDS)('PATCH /qrcodes/{id} on %s', (backend) => {
  let sandbox: Started
  beforeAll(async () => {
    sandbox = await start({ ...(await newState(backend)), limitsRates: false })
    return sandbox.close
  })
  beforeEach(async () => {
    await sandbox.control('POST', '/reset')
    await sandbox.control('POST', '/clock', { freeze: true })
    return async () => expect(await sandbox.findings()).toEqual([])
  })

  const allow = (id: string, allow_value_change: unknown = true) =>
    sandbox.control('PATCH', `/qrcodes/${id}`, { allow_value_change })

  const createImmediate = () =>
    sandbox.partner.qrcodes.createImmediate({
      dict_key: KEY,
      tx_id: newTxId(),
      amount: { original: '35.90' },
    })

  test('lets the payer of an immediate code pay any amount above zero', async () => {
    const { id, emv } = await createImmediate()
    const { status, body } = await allow(id)
    expect(status).toBe(200)
    expect(body).toEqual({ id, allow_value_change: true, revision: 1 })

    const check = await sandbox.other.codes.check(emv)
    expect(check).toMatchObject({
      allow_value_change: true,
      original_amount: '35.90',
      final_amount: '35.90',
      revision: 1,
    })
    if (!check.allow_value_change) throw new Error('the amount is fixed')

    // Without the client, which refuses an amount of nothing itself.
    const askAsOther = createAsker(sandbox.service, await issueToken(sandbox, 'other'))
    const zero = await askAsOther('POST', '/pix/out/', {
      body: { type: 'emv', emv, amount: '0.00' },
    })
    expect(summarize(zero)).toBe('422 amount_not_allowed /amount')
    await check.pay({ amount: '50.00' })
    await sandbox.advance(1)

    const { data } = await sandbox.partner.qrcodes.listImmediate({ limit: '1' })
    expect(data[0]).toMatchObject({
      id,
      status: 'CONCLUIDA',
      amount: { original: '35.90' },
      payment: { amount: '50.00' },
    })
  })

  test('fixes the amount again, and changes nothing if it is so already', async () => {
    const { id, emv } = await createImmediate()
    await allow(id)
    expect((await allow(id)).body).toMatchObject({ revision: 1 })
    expect((await allow(id, false)).body).toMatchObject({ revision: 2 })

    const other = sandbox.other.transfers.create({ type: 'emv', emv, amount: '1.00' })
    expect(await refusal(other)).toBe('422 amount_not_allowed /amount')
  })

  test('refuses other codes, and those that cannot be paid', async () => {
    const { qrcodes } = sandbox.partner
    const fixed = await qrcodes.createStatic({ dict_key: KEY, amount: '1.00' })
    const dueDate = await qrcodes.createDueDate({
      dict_key: KEY,
      tx_id: newTxId(),
      amount: { original: '10.00' },
      calendar: { due_date: '2100-01-04' },
      payer: DEBTOR,
    })
    expect(summarize(await allow(fixed.id))).toBe('422 invalid_charge')
    expect(summarize(await allow(dueDate.id))).toBe('422 invalid_charge')
    expect(summarize(await allow(crypto.randomUUID()))).toBe('404 not_found')

    const cancelled = await createImmediate()
    await qrcodes.cancelImmediate(cancelled.id)
    expect(summarize(await allow(cancelled.id))).toBe('422 code_cancelled')

    const pending = await createImmediate()
    const check = await sandbox.other.codes.check(pending.emv)
    await check.pay()
    expect(summarize(await allow(pending.id))).toBe('409 code_paid')
    expect(summarize(await allow(fixed.id, 'yes'))).toBe('400 invalid_request /allow_value_change')
  })
})
