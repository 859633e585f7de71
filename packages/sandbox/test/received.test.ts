import { encode } from '@partner-payments/brcode'
import { createValidator } from '@partner-payments/validator'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Schemas } from '../src/contract.ts'
import { BACKENDS, newState } from './backends.ts'
import { DEBTOR, newTxId, SHOP } from './callers.ts'
import { type Receiver, receiver } from './receiver.ts'
import { MONDAY, type Started, start } from './started.ts'

const LOJA = 'c3a4b5d6-1d5c-4e0b-9d57-0d6c3f1a7001'
const FULANO = 'a4c26fae-7b74-4a7e-a5e0-8f2917a1a87e'
const KEY = '12ABC34501DE35'
const TELEPHONE = '+5561912345678'
const DAY_MS = 86_400_000

const PADARIA = { name: 'Padaria Exemplo Ltda', tax_id: '11222333000181' }
const BELTRANA = { name: 'Beltrana de Tal', tax_id: '11144477735' }

const validator = createValidator()

type Received = Schemas['TransferReceivedEvent']
type Paid = Schemas['QrCodePaidEvent']
type Event = Received | Paid | Schemas['TransferSettledEvent']

describe.each(BACKENDS)('the receiver of a payment on %s', (backend) => {
  let sandbox: Started
  /** What the partner that receives has at its webhook for all events. */
  let shop: Receiver
  /** What the partner that pays has at its own. */
  let payer: Receiver

  beforeAll(async () => {
    const where = await newState(backend)
    sandbox = await start({ ...where, now: () => MONDAY, limitsRates: false })
    payer = await receiver()
    return async () => {
      await sandbox.close()
      await payer.close()
    }
  })
  beforeEach(async () => {
    await sandbox.control('POST', '/reset')
    await sandbox.control('POST', '/clock', { freeze: true })
    shop = sandbox.shop
    shop.got.length = 0
    payer.got.length = 0
    await sandbox.partner.webhooks.create({ type: 'all', url: shop.url })
    await sandbox.other.webhooks.create({ type: 'all', url: payer.url })
    return async () => expect(await sandbox.findings()).toEqual([])
  })

  /** Lets everything settle, and returns the events that the webhook got, each by the contract. */
  async function eventsAt({ got }: Receiver): Promise<Event[]> {
    await sandbox.at(sandbox.clock.now() + 1_000)
    return got.map(({ id, timestamp, signature, body }) => {
      const event: Event = JSON.parse(body)
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signature,
      }
      const findings = validator.validateDelivery({ name: event.type, headers, body: event })
      expect(findings).toEqual([])
      return event
    })
  }

  async function typesAt(at: Receiver): Promise<string[]> {
    const events = await eventsAt(at)
    return events.map(({ type }) => type).sort()
  }

  /** The only credit that the shop heard of. */
  async function received(): Promise<Received['data']> {
    const events = await eventsAt(shop)
    const credits = events.filter((event) => event.type === 'transfer.received')
    expect(credits).toHaveLength(1)
    return (credits[0] as Received).data
  }

  const payFromOutside = async (id: string) => {
    const { status, body } = await sandbox.control<{ payment: Schemas['Payment'] }>(
      'POST',
      `/qrcodes/${id}/pay`,
    )
    expect(status).toBe(200)
    return body.payment
  }

  test('learns of a transfer to a key, by another partner', async () => {
    const payee = await sandbox.other.keys.check(TELEPHONE)
    const { data } = await payee.pay({ amount: '12.34', description: 'Almoço' })
    expect(await received()).toEqual({
      account_id: LOJA,
      payment: {
        amount: '12.34',
        end_to_end_id: data.end_to_end_id,
        paid_at: '2026-11-23T12:00:00.100Z',
        payer: PADARIA,
      },
      tx_id: '',
      dict_key: TELEPHONE,
      description: 'Almoço',
      qrcode: null,
    })
    // Each partner hears of its own account alone.
    expect(await typesAt(shop)).toEqual(['transfer.received'])
    expect(await typesAt(payer)).toEqual(['transfer.settled'])
  })

  test('is the partner of a customer, whose account was credited', async () => {
    const payee = await sandbox.other.keys.check('fulano@example.com')
    await payee.pay({ amount: '1.00' })
    expect(await received()).toMatchObject({
      account_id: FULANO,
      dict_key: 'fulano@example.com',
      payment: { amount: '1.00', payer: PADARIA },
    })
  })

  test('learns of a payment between two of its accounts, beside the payer', async () => {
    await sandbox.pay('1.00', 'fulano@example.com')
    expect(await typesAt(shop)).toEqual(['transfer.received', 'transfer.settled'])
    expect(await typesAt(payer)).toEqual([])
  })

  test('learns of its static code, with its tx_id and its id, any number of times', async () => {
    const code = { dict_key: KEY, amount: '5.00', message: 'Mesa 4' }
    const { id, emv, tx_id } = await sandbox.partner.qrcodes.createStatic(code)
    for (const caller of [sandbox.other, sandbox.customer]) {
      const check = await caller.codes.check(emv)
      await check.pay()
    }
    const first = await payFromOutside(id)
    const second = await payFromOutside(id)
    expect(first.payer).toEqual(BELTRANA)

    const events = await eventsAt(shop)
    const credits = events.filter((event) => event.type === 'transfer.received') as Received[]
    const qrcode = { id, kind: 'Static' }
    const shown = credits.map(({ data }) => ({ tx_id: data.tx_id, qrcode: data.qrcode }))
    expect(shown).toEqual(Array(4).fill({ tx_id, qrcode }))

    const ids = credits.map(({ data }) => data.payment.end_to_end_id)
    expect(new Set(ids).size).toBe(4)
    expect(ids).toEqual(expect.arrayContaining([first.end_to_end_id, second.end_to_end_id]))
  })

  test('learns of a static code that somebody else wrote for its key', async () => {
    const emv = encode({ ...SHOP, key: KEY, amount: '1.00', txid: 'PEDIDO1' })
    const check = await sandbox.other.codes.check(emv)
    await check.pay()
    expect(await received()).toMatchObject({ tx_id: 'PEDIDO1', dict_key: KEY, qrcode: null })
  })

  test('learns of no charge by a static code that somebody else wrote with its tx_id', async () => {
    const tx_id = newTxId()
    const charge = { dict_key: KEY, tx_id, amount: { original: '500.00' } }
    await sandbox.partner.qrcodes.createImmediate(charge)
    await payWrittenCode({ txid: tx_id, amount: '0.01' })
    expect(await received()).toMatchObject({ tx_id, payment: { amount: '0.01' }, qrcode: null })

    const { data: listed } = await sandbox.partner.qrcodes.listImmediate({ limit: '1' })
    expect(listed[0]).toMatchObject({ tx_id, status: 'ATIVA', payment: null })
  })

  test('learns of no static code by one that somebody else wrote with another amount', async () => {
    const code = { dict_key: KEY, amount: '500.00' }
    const { tx_id } = await sandbox.partner.qrcodes.createStatic(code)
    await payWrittenCode({ txid: tx_id, amount: '0.01' })
    expect(await received()).toMatchObject({ tx_id, payment: { amount: '0.01' }, qrcode: null })
  })

  /** Pays a static code that anybody can write with the key of the shop. */
  async function payWrittenCode(fields: { txid: string; amount: string }): Promise<void> {
    // The tx_id of a charge is longer than that of a static code, which the lenient profile accepts.
    const emv = encode({ ...SHOP, ...fields, key: KEY }, { profile: 'lenient' })
    const check = await sandbox.other.codes.check(emv)
    await check.pay()
  }

  test('learns of an immediate code twice, with one end-to-end id', async () => {
    const { id, emv, tx_id } = await sandbox.partner.qrcodes.createImmediate({
      dict_key: KEY,
      tx_id: newTxId(),
      amount: { original: '35.90' },
    })
    const check = await sandbox.other.codes.check(emv)
    const { data: transfer } = await check.pay()

    const credit = await received()
    const { end_to_end_id } = transfer
    expect(credit).toMatchObject({ tx_id, dict_key: KEY, qrcode: { id, kind: 'Immediate' } })
    expect(credit.payment).toEqual({
      amount: '35.90',
      end_to_end_id,
      paid_at: '2026-11-23T12:00:00.100Z',
      payer: PADARIA,
    })

    const events = await eventsAt(shop)
    const paid = events.find((event): event is Paid => event.type === 'qrcode.paid')
    expect(paid?.data).toMatchObject({ id, status: 'CONCLUIDA', payment: credit.payment })

    const { data: listed } = await sandbox.partner.qrcodes.listImmediate({ limit: '1' })
    expect(listed[0]?.payment).toEqual(credit.payment)
  })

  test('learns what was paid for a due-date code, with its fine and interest', async () => {
    const { id, emv } = await sandbox.partner.qrcodes.createDueDate({
      dict_key: KEY,
      tx_id: newTxId(),
      amount: {
        original: '100.00',
        fine: { modality: '2', amount: '2.00' },
        interest: { modality: '1', amount: '0.23' },
      },
      calendar: { due_date: '2026-11-23' },
      payer: DEBTOR,
    })
    await sandbox.at(MONDAY + DAY_MS)
    const check = await sandbox.other.codes.check(emv)
    await check.pay()

    const credit = await received()
    expect(credit).toMatchObject({
      qrcode: { id, kind: 'DueDate' },
      payment: { amount: '102.23', payer: PADARIA },
    })
    const { data: listed } = await sandbox.partner.qrcodes.listDueDate({ limit: '1' })
    expect(listed[0]).toMatchObject({ amount: { original: '100.00' }, payment: credit.payment })
  })

  test('learns of a payment of its charge from another institution', async () => {
    const { data } = await sandbox.partner.qrcodes.listImmediate({ limit: '1' })
    const id = data[0]?.id ?? ''
    const payment = await payFromOutside(id)
    expect(payment).toMatchObject({ amount: '35.90', payer: BELTRANA })
    expect(payment.end_to_end_id).toMatch(/^E99999029202611231200[A-Za-z0-9]{11}$/)
    expect(await received()).toMatchObject({ payment, qrcode: { id, kind: 'Immediate' } })
    expect(await typesAt(shop)).toEqual(['qrcode.paid', 'transfer.received'])
  })

  test('learns of a deposit, which pays no key', async () => {
    await sandbox.control('POST', `/accounts/${LOJA}/deposit`, { amount: '7.00' })
    expect(await received()).toMatchObject({
      account_id: LOJA,
      payment: { amount: '7.00', payer: BELTRANA },
      tx_id: '',
      dict_key: '',
      qrcode: null,
    })
  })

  test('has the event at webhooks of the types all and transfer, and no other', async () => {
    const { id: all } = (await sandbox.partner.webhooks.list()).data[0] ?? { id: '' }
    const { create } = sandbox.partner.webhooks
    const { id: transfer } = await create({ type: 'transfer', url: shop.url })
    await create({ type: 'qrcode', url: shop.url })
    await sandbox.control('POST', `/accounts/${LOJA}/deposit`, { amount: '7.00' })
    await sandbox.worker.idle()

    const { webhooks } = await sandbox.state()
    const reached = webhooks.filter(({ deliveries }) => deliveries.length > 0)
    expect(reached.map(({ id }) => id).sort()).toEqual([all, transfer].sort())
  })

  test('hears nothing of a payment that is rejected', async () => {
    const payee = await sandbox.other.keys.check(KEY)
    await payee.pay({ amount: '9990.01' })
    expect(await typesAt(shop)).toEqual([])
    expect(await typesAt(payer)).toEqual(['transfer.rejected'])
  })
})
