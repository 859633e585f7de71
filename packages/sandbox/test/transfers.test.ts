import { encode } from '@partner-payments/brcode'
import { afterAll, describe, expect, test } from 'vitest'
import { reconcile } from '../src/ledger/reconcile.ts'
import { readRows, SHOP, signInPartner, summarize } from './callers.ts'
import { refusal, startOnMonday } from './started.ts'

const BELTRANA = 'beltrana@example.com'
const EMV = encode({ ...SHOP, key: '11222333000181', amount: '5.00' })

const sandbox = await startOnMonday()
afterAll(async () => {
  expect(await sandbox.store.read(reconcile)).toEqual([])
  await sandbox.close()
})

const balance = () =>
  readRows(sandbox, `SELECT sum(balance) AS sum FROM accounts WHERE standing = 'own'`)

describe('a transfer is refused, and moves no money,', () => {
  test.each([
    { reason: 'of nothing', more: { amount: '0.00' }, expected: '422 amount_not_allowed /amount' },
    {
      reason: 'of another amount than the code fixes',
      more: { amount: '5.01' },
      expected: '422 amount_not_allowed /amount',
    },
    {
      reason: 'of tomorrow',
      more: { payment_date: '2026-11-24' },
      expected: '422 payment_date_not_allowed /payment_date',
    },
    {
      reason: 'of yesterday',
      more: { payment_date: '2026-11-22' },
      expected: '422 payment_date_not_allowed /payment_date',
    },
    {
      reason: 'of an invalid amount',
      more: { amount: '5' },
      expected: '400 invalid_request /amount',
    },
    {
      reason: 'of a type that there is not',
      more: { type: 'ted' },
      expected: '400 invalid_request /type',
    },
    { reason: 'of an invalid code', more: { emv: 'x' }, expected: '422 invalid_code /emv' },
  ])('$reason', ({ more, expected }) => expectRefused(more, expected))

  test.each([
    { field: 'name', value: 'Fulano de Tal' },
    { field: 'tax_id', value: '12345678909' },
    { field: 'tax_id', value: '***.222.333-**' },
    { field: 'branch', value: '0002' },
    { field: 'ispb', value: '99999010' },
    { field: 'account_number', value: '1' },
    { field: 'account_type', value: 'SVGS' },
  ])('to another $field', ({ field, value }) =>
    expectRefused(
      { beneficiary: { [field]: value } },
      `422 beneficiary_mismatch /beneficiary/${field}`,
    ),
  )

  async function expectRefused(more: object, expected: string): Promise<void> {
    const before = await balance()
    const body = { type: 'emv', amount: '5.00', emv: EMV, ...more }
    // Without the client, which refuses an amount of nothing itself.
    const ask = await signInPartner(sandbox)
    expect(summarize(await ask('POST', '/pix/out/', { body }))).toBe(expected)
    expect(await balance()).toEqual(before)
  }

  test('of more than the balance, by as little as a centavo', async () => {
    const { initiation_id } = await sandbox.customer.keys.check(BELTRANA)
    const transfer = (amount: string) =>
      sandbox.customer.transfers.create({ type: 'dict', dict_key: BELTRANA, initiation_id, amount })
    expect(await refusal(transfer('20000.01'))).toBe('422 insufficient_funds /amount')
    expect((await transfer('20000.00')).data.amount).toBe('20000.00')
  })
})

describe('a transfer', () => {
  test('accepts a beneficiary that matches the checked key, and today as payment_date', async () => {
    const payee = await sandbox.partner.keys.check(BELTRANA)
    const made = await payee.pay({
      amount: '1.00',
      beneficiary: {
        name: payee.owner_name,
        ispb: payee.ispb,
        branch: payee.branch,
        account_number: payee.account_number,
        account_type: 'TRAN',
        tax_id: '11144477735',
      },
      payment_date: '2026-11-23',
      description: 'Almoço',
    })
    expect(made.data).toMatchObject({
      status: 'pending',
      description: 'Almoço',
      initiation_type: 'DICT',
      tx_id: '',
      settled_at: '',
      rejection_message: '',
    })
    expect(made.data.end_to_end_id).toMatch(/^E99999010202611231200[A-Za-z0-9]{11}$/)
    expect(made.id).toBe(made.data.id)
    expect(made.status).toBe(made.data.status)
  })

  test('to a person accepts the tax_id whole and as a check shows it, and shows it masked', async () => {
    const check = () => sandbox.partner.codes.check(encode({ ...SHOP, key: BELTRANA }))
    const { beneficiary } = await check()
    expect(beneficiary.tax_id).toBe('***.444.777-**')

    const to = async (tax_id: string) => {
      const payee = await sandbox.partner.keys.check(BELTRANA)
      return payee.pay({ amount: '1.00', beneficiary: { tax_id } })
    }
    for (const tax_id of ['***.444.777-**', '11144477735']) {
      const { id, data } = await to(tax_id)
      expect(data.beneficiary.tax_id).toBe('***.444.777-**')
      expect(data.payer.tax_id).toBe('12ABC34501DE35')

      await sandbox.at(sandbox.clock.now() + 1_000)
      const sql = 'SELECT body FROM events WHERE record_id = ?'
      const [event] = await readRows<{ body: string }>(sandbox, sql, [id])
      expect(event?.body).toContain('***.444.777-**')
      expect(event?.body).not.toContain('11144477735')
    }
    for (const tax_id of ['***.444.778-**', '***.456.789-**', '11144477736']) {
      const mismatch = '422 beneficiary_mismatch /beneficiary/tax_id'
      expect(await refusal(to(tax_id))).toBe(mismatch)
    }
  })

  test('that is rejected says why in its event, and has no settled_at', async () => {
    const payee = await sandbox.partner.keys.check('ac03@reject.example.com')
    const { id } = await payee.pay({ amount: '1.00' })
    await sandbox.at(sandbox.clock.now() + 1_000)
    const sql = 'SELECT body FROM events WHERE record_id = ?'
    const [row] = await readRows<{ body: string }>(sandbox, sql, [id])
    expect(JSON.parse(`${row?.body}`)).toMatchObject({
      type: 'transfer.rejected',
      data: {
        status: 'rejected',
        settled_at: '',
        rejection_message: expect.stringMatching(/^AC03: /),
      },
    })
  })

  test('keeps its description, where it is text', async () => {
    const description = 'a\0b\ud800😀\u{10ffff}0e\u0301'
    const payee = await sandbox.partner.keys.check(BELTRANA)
    const { data } = await payee.pay({ amount: '1.00', description })
    expect(data.description).toBe(description.toWellFormed())
  })

  test('uses the date of Brasília for today', async () => {
    await sandbox.at('2026-11-24T02:59:59Z')
    const create = (payment_date: string) =>
      sandbox.partner.transfers.create({ type: 'emv', amount: '5.00', emv: EMV, payment_date })

    expect((await create('2026-11-23')).status).toBe('pending')
    expect(await refusal(create('2026-11-24'))).toBe('422 payment_date_not_allowed /payment_date')

    await sandbox.at('2026-11-24T03:00:00Z')
    expect((await create('2026-11-24')).status).toBe('pending')
  })
})
