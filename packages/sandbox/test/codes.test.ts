import { encode } from '@partner-payments/brcode'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DEBTOR, newTxId, SHOP } from './callers.ts'
import { MONDAY, readDetail, refusal, type Started, startOnMonday } from './started.ts'

const OWN_KEY = '12ABC34501DE35'
const BELTRANA = 'beltrana@example.com'

let sandbox: Started

describe('checking a static code', () => {
  beforeAll(async () => {
    sandbox = await startOnMonday()
    return sandbox.close
  })

  test('shows its amount, message, tx_id and payee', async () => {
    const key = '11222333000181'
    const emv = encode({ ...SHOP, key, amount: '10.5', txid: 'PEDIDO1', message: 'Oi' })
    expect(await sandbox.partner.codes.check(emv)).toMatchObject({
      qrcode_type: 'Static',
      allow_value_change: false,
      original_amount: '10.50',
      final_amount: '10.50',
      message: 'Oi',
      tx_id: 'PEDIDO1',
      status: '',
      url: '',
      expiration: null,
      due_date: null,
      beneficiary: { dict_key: key, name: 'Padaria Exemplo Ltda', tax_id: key, ispb: '99999029' },
    })
  })

  test('leaves the amount to the payer if the code has none', async () => {
    const emv = encode({ ...SHOP, key: '+5561912345678' })
    const check = await sandbox.partner.codes.check(emv)
    expect(check).toMatchObject({ original_amount: '0', final_amount: '0', tx_id: '' })

    if (!check.allow_value_change) throw new Error('the amount is fixed')

    const { data } = await check.pay({ amount: '3.10' })
    expect(data).toMatchObject({ amount: '3.10', initiation_type: 'QRES' })
  })

  test('takes name, tax ID and account of the payee from the directory, not from the code', async () => {
    const emv = encode({ ...SHOP, merchantName: 'Banco Falso', key: BELTRANA, amount: '1.00' })
    const check = await sandbox.partner.codes.check(emv)
    expect(check.beneficiary).toMatchObject({
      dict_key: BELTRANA,
      name: 'Beltrana de Tal',
      tax_id: '***.444.777-**',
      account_number: '2345678',
    })

    const { data } = await check.pay()
    expect(data.beneficiary).toMatchObject({ name: 'Beltrana de Tal', tax_id: '***.444.777-**' })
  })

  // The lenient profile of the codec accepts them, as the apps of payers do.
  test.each([
    { key: ' 5511999999999', fault: 'a telephone with + and no spaces' },
    { key: '12abc34501de35', fault: 'in upper case' },
    { key: 'Beltrana@example.com', fault: 'in lower case' },
    { key: '111.444.777-35', fault: 'digits only' },
    { key: 'nobody@example.com', fault: 'no entry for the key. Add one with POST /_sandbox/keys' },
    { key: '11999999999', fault: 'a telephone begins with +55' },
  ])('refuses the key $key of a code as a look-up does: $fault', async ({ key, fault }) => {
    const emv = encode({ ...SHOP, key, amount: '1.00' }, { profile: 'lenient' })
    const detail = await readDetail(sandbox.partner.codes.check(emv))
    expect(detail).toContain(fault)
    expect(detail).not.toContain(key)

    const body = { type: 'emv', amount: '1.00', emv } as const
    expect(await refusal(sandbox.partner.transfers.create(body))).toBe('422 invalid_code /emv')
  })

  const valid = encode({ ...SHOP, key: OWN_KEY })
  const recurrence = 'pix.example.com/rec/2353c790eefb11eaadc10242ac120002'
  const foreignLocation = 'pix.other.example/v2/8b3da2f39a4140d1a91abd93113bd441'
  const unknownLocation = `pix.example.com/qr/v2/cob/${'0'.repeat(32)}`
  test.each([
    {
      kind: 'a withdrawal',
      emv: encode({ ...SHOP, key: OWN_KEY, amount: '10.00', withdrawalFacilitator: '99999010' }),
    },
    { kind: 'a recurrence alone', emv: encode({ ...SHOP, recurrence }) },
    { kind: 'a charge of another service', emv: encode({ ...SHOP, location: foreignLocation }) },
    {
      kind: 'a charge that this service does not have',
      emv: encode({ ...SHOP, location: unknownLocation }),
    },
    {
      kind: 'a wrong checksum',
      emv: `${valid.slice(0, -4)}0000`,
      detail: 'does not fit: the code was changed or cut',
    },
    {
      kind: 'half a code',
      emv: valid.slice(0, 40),
      detail: 'The code is cut, or a length is wrong',
    },
    { kind: 'no code', emv: 'x', detail: 'This is not a Pix code' },
  ])('refuses $kind by name, to check and to pay', async ({ emv, detail = '' }) => {
    expect(await refusal(sandbox.partner.codes.check(emv))).toBe('422 invalid_code /emv')
    expect(await readDetail(sandbox.partner.codes.check(emv))).toContain(detail)

    const body = { type: 'emv', amount: '10.00', emv } as const
    expect(await refusal(sandbox.partner.transfers.create(body))).toBe('422 invalid_code /emv')
  })
})

describe('checking an immediate charge', () => {
  beforeEach(async () => {
    sandbox = await startOnMonday()
    return sandbox.close
  })

  const create = (original = '35.90') =>
    sandbox.partner.qrcodes.createImmediate({
      dict_key: OWN_KEY,
      tx_id: newTxId(),
      message: 'Pedido',
      amount: { original },
      calendar: { expiration: 3600 },
      payer: { name: 'Fulano de Tal', tax_id: '12345678909' },
      additional_infos: [{ name: 'Mesa', value: '4' }],
    })

  test('shows the requested data and the expiration', async () => {
    const made = await create()
    expect(await sandbox.other.codes.check(made.emv)).toMatchObject({
      qrcode_type: 'Immediate',
      allow_value_change: false,
      original_amount: '35.90',
      final_amount: '35.90',
      expiration: '2026-11-23T13:00:00.000Z',
      due_date: null,
      status: 'ATIVA',
      message: 'Pedido',
      tx_id: made.tx_id,
      url: made.url,
      payer: { name: 'Fulano de Tal', tax_id: '12345678909' },
      additional_infos: [{ name: 'Mesa', value: '4' }],
      beneficiary: { dict_key: OWN_KEY, name: 'Loja Exemplo Ltda', trade_name: 'Loja Exemplo' },
    })
  })

  test('refuses it with code_expired after its expiration', async () => {
    const { emv } = await create()
    const pay = { type: 'emv', amount: '35.90', emv } as const
    await sandbox.at(MONDAY + 3_600_000)
    expect((await sandbox.other.codes.check(emv)).status).toBe('ATIVA')

    await sandbox.at(MONDAY + 3_600_001)
    expect(await refusal(sandbox.other.codes.check(emv))).toBe('422 code_expired /emv')
    expect(await refusal(sandbox.other.transfers.create(pay))).toBe('422 code_expired /emv')

    const { data } = await sandbox.partner.qrcodes.listImmediate({ limit: '1' })
    expect(data[0]?.status).toBe('ATIVA')
  })

  test('refuses it with code_paid during and after its payment', async () => {
    const { emv } = await create()
    await (await sandbox.other.codes.check(emv)).pay()
    const pay = { type: 'emv', amount: '35.90', emv } as const
    for (const moment of [MONDAY, MONDAY + 1_000]) {
      await sandbox.at(moment)
      expect(await refusal(sandbox.customer.codes.check(emv))).toBe('422 code_paid /emv')
      expect(await refusal(sandbox.customer.transfers.create(pay))).toBe('409 code_paid /emv')
    }
  })

  test('accepts another payment if the transfer was rejected', async () => {
    const { emv } = await create('9990.01')
    await (await sandbox.other.codes.check(emv)).pay()
    await sandbox.at(MONDAY + 1_000)
    expect((await sandbox.customer.codes.check(emv)).status).toBe('ATIVA')
  })
})

describe('checking a due-date charge', () => {
  let emv: string
  beforeAll(async () => {
    sandbox = await startOnMonday()
    const made = await sandbox.partner.qrcodes.createDueDate({
      dict_key: OWN_KEY,
      tx_id: newTxId(),
      amount: {
        original: '100.00',
        deduction: { modality: '1', amount: '10.00' },
        discount: { modality: '1', fixedDateDiscount: [{ amount: '5.00', date: '2026-12-10' }] },
        fine: { modality: '2', amount: '2.00' },
        interest: { modality: '2', amount: '1.00' },
      },
      calendar: { due_date: '2026-12-15', expiration_days: 2 },
      payer: DEBTOR,
    })
    emv = made.emv
    return sandbox.close
  })

  // The clock only moves forward, so these are in order of days. Brasília is three hours behind
  // UTC.
  test.each([
    {
      day: 'early',
      moment: '2026-11-23T12:00:00Z',
      amounts: { discount: '5.00', fine: '0', interest: '0', final_amount: '85.00' },
    },
    {
      day: 'on the last day of the discount',
      moment: '2026-12-11T02:59:59Z',
      amounts: { discount: '5.00', final_amount: '85.00' },
    },
    {
      day: 'after it',
      moment: '2026-12-11T03:00:00Z',
      amounts: { discount: '0', final_amount: '90.00' },
    },
    {
      day: 'on the due date',
      moment: '2026-12-16T02:59:59Z',
      amounts: { fine: '0', interest: '0', final_amount: '90.00' },
    },
    {
      day: 'a day late',
      moment: '2026-12-16T03:00:00Z',
      amounts: { fine: '1.80', interest: '0.90', final_amount: '92.70' },
    },
    {
      day: 'two days late',
      moment: '2026-12-17T03:00:00Z',
      amounts: { fine: '1.80', interest: '1.80', final_amount: '93.60' },
    },
  ])('comes to what is due $day', async ({ moment, amounts }) => {
    await sandbox.at(moment)
    expect(await sandbox.other.codes.check(emv)).toMatchObject({
      qrcode_type: 'DueDate',
      original_amount: '100.00',
      deduction: '10.00',
      due_date: '2026-12-15',
      expiration: null,
      allow_value_change: false,
      ...amounts,
    })
  })

  test('is paid with the amount due that day, and no other', async () => {
    for (const amount of ['100.00', '92.70', '93.59', '93.61']) {
      const payment = sandbox.other.transfers.create({ type: 'emv', amount, emv })
      expect(await refusal(payment)).toBe('422 amount_not_allowed /amount')
    }

    const check = await sandbox.other.codes.check(emv)
    expect((await check.pay()).data).toMatchObject({ amount: '93.60', initiation_type: 'QRDN' })
  })
})
