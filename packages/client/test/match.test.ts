import { describe, expect, it } from 'vitest'
import {
  match,
  type OutcomeUnknownError,
  type UnknownPayment,
  type WebhookEvent,
} from '../src/index.ts'
import { findExample } from './contract.ts'
import { json, service } from './service.ts'

const SENT_AT = '2026-11-02T14:30:00Z'
const EMV = '00020126'

/** An event of a delivery, whose transfer has other values. */
function eventWith(values: object, type = 'transfer.settled', timestamp = '2026-11-02T14:30:02Z') {
  const data = { ...transfer(), ...values }
  return { type, timestamp, data } as WebhookEvent
}

/** The data of a transfer of 25.00 to the owner of the key below. */
function transfer() {
  return {
    id: 't1',
    amount: '25.00',
    tx_id: '',
    initiation_type: 'DICT',
    beneficiary: { name: 'Beltrana de Tal', tax_id: '11144477735', ispb: '99999002' },
  }
}

const toKey = (input: object = {}, check: object | undefined = OWNER): UnknownPayment => ({
  input: { type: 'dict', amount: '25.00', dict_key: 'a@example.com', initiation_id: 'i', ...input },
  sentAt: SENT_AT,
  check,
})
const OWNER = { owner_document: '***.444.777-**', owner_name: 'Beltrana de Tal' }

const ofCode = (tx_id: string, input: object = {}): UnknownPayment => ({
  input: { type: 'emv', amount: '25.00', emv: EMV, ...input },
  sentAt: SENT_AT,
  check: { tx_id, beneficiary: { tax_id: '11222333000181' } },
})
const CODE = {
  tx_id: 'PEDIDO1001',
  initiation_type: 'QRDN',
  beneficiary: { tax_id: '11222333000181' },
}

describe('a payment to a key', () => {
  it('is that of an event with its amount, payee and time', () => {
    expect(match(toKey(), eventWith({}))).toBe('yes')
    expect(match(toKey(), eventWith({}, 'transfer.rejected'))).toBe('yes')
    expect(match(toKey(), eventWith({ amount: '-25.0' }))).toBe('yes')
  })

  it('is that of an event if the key is the tax ID of the payee, also without a check', () => {
    const ownKey = { ...toKey({ dict_key: '11144477735' }), check: undefined }
    expect(match(ownKey, eventWith({}))).toBe('yes')
    expect(match({ ...toKey(), check: undefined }, eventWith({}))).toBe('cannot_know')
  })

  it.each([
    { title: 'is not that of an event with another amount', event: eventWith({ amount: '25.01' }) },
    {
      title: 'is not that of an event with another payee',
      event: eventWith({ beneficiary: { tax_id: '52998224725' } }),
    },
    {
      title: 'is not that of an event whose payee is a company',
      event: eventWith({ beneficiary: { tax_id: '11222333000181' } }),
    },
    {
      title: 'is not that of an event about a payment of a code',
      event: eventWith({ initiation_type: 'QRDN' }),
    },
    {
      title: 'is not that of an event with an earlier time',
      event: eventWith({}, 'transfer.settled', '2026-11-02T14:20:00Z'),
    },
    { title: 'is not that of an event about a QR code', event: eventWith({}, 'qrcode.paid') },
    {
      title: 'is not that of an event of another kind',
      event: eventWith({}, 'transfer.returned'),
    },
  ])('$title', ({ event }) => {
    expect(match(toKey(), event)).toBe('no')
  })

  it.each([
    {
      title: 'cannot be known from an event without an amount',
      event: eventWith({ amount: undefined }),
    },
    {
      title: 'cannot be known from an event with an amount that is no number',
      event: eventWith({ amount: 'R$ 25,00' }),
    },
    {
      title: 'cannot be known from an event without a payee',
      event: eventWith({ beneficiary: undefined }),
    },
    {
      title: 'cannot be known from an event with a payee whose tax ID is cut',
      event: eventWith({ beneficiary: { tax_id: '444777' } }),
    },
    {
      title: 'cannot be known from an event with a masked payee',
      event: eventWith({ beneficiary: { tax_id: '***.***.***-**' } }),
    },
    {
      title: 'cannot be known from an event with a time long after it',
      event: eventWith({}, 'transfer.settled', '2026-11-04T14:30:00Z'),
    },
    {
      title: 'cannot be known from an event without a time',
      event: eventWith({}, 'transfer.settled', ''),
    },
  ])('$title', ({ event }) => {
    expect(match(toKey(), event)).toBe('cannot_know')
  })

  it('that the clocks of both servers place a little before it is that of the event', () => {
    expect(match(toKey(), eventWith({}, 'transfer.settled', '2026-11-02T14:27:00Z'))).toBe('yes')
  })
})

describe('a payment of a code', () => {
  it('is that of an event with its tx_id and amount, however late', () => {
    const late = eventWith(CODE, 'transfer.rejected', '2026-11-06T14:30:00Z')
    expect(match(ofCode('PEDIDO1001'), late)).toBe('yes')
  })

  it.each(['QRES', undefined])(
    'of %s is that of an event only if it is soon',
    (initiation_type) => {
      // A static code can be paid again.
      const values = { ...CODE, initiation_type }
      const later = eventWith(values, 'transfer.settled', '2026-11-02T16:30:00Z')
      expect(match(ofCode('PEDIDO1001'), eventWith(values))).toBe('yes')
      expect(match(ofCode('PEDIDO1001'), later)).toBe('cannot_know')
    },
  )

  it.each([
    { title: 'is not that of an event with another tx_id', values: { tx_id: 'PEDIDO1002' } },
    {
      title: 'is not that of an event with the tx_id in other letters',
      values: { tx_id: 'pedido1001' },
    },
    { title: 'is not that of an event with another amount', values: { amount: '10.50' } },
    {
      title: 'is not that of an event with another receiver',
      values: { beneficiary: { tax_id: '99888777000166' } },
    },
    {
      title: 'is not that of an event about a payment to a key',
      values: { initiation_type: 'DICT' },
    },
  ])('$title', ({ values }) => {
    expect(match(ofCode('PEDIDO1001'), eventWith({ ...CODE, ...values }))).toBe('no')
  })

  it.each(['***', '', 'a b'])('cannot be known from the shared tx_id %j', (tx_id) => {
    expect(match(ofCode(tx_id), eventWith({ ...CODE, tx_id }))).toBe('cannot_know')
    expect(match(ofCode('PEDIDO1001'), eventWith({ ...CODE, tx_id }))).toBe('cannot_know')
  })

  it('cannot be known without the check, which has the tx_id', () => {
    const request = { ...ofCode('x'), check: undefined }
    expect(match(request, eventWith(CODE))).toBe('cannot_know')
  })
})

describe('other payments', () => {
  it('make it impossible to know if one of them fits too', () => {
    const one = toKey()
    const two = { ...toKey(), sentAt: '2026-11-02T14:29:30Z' }
    expect(match(one, eventWith({}), [one, two])).toBe('cannot_know')
    expect(match(two, eventWith({}), [one, two])).toBe('cannot_know')
  })

  it('make it impossible to know if one of them may fit', () => {
    const unclear = { ...toKey(), check: undefined }
    expect(match(toKey(), eventWith({}), [unclear])).toBe('cannot_know')
    const sameCode = [ofCode('PEDIDO1001'), ofCode('PEDIDO1001')] as const
    expect(match(sameCode[0], eventWith(CODE), sameCode)).toBe('cannot_know')
  })

  it('do not matter if they differ', () => {
    const others = [toKey({ amount: '10.00' }), ofCode('PEDIDO1001')]
    expect(match(toKey(), eventWith({}), others)).toBe('yes')
  })
})

describe('the request', () => {
  it('of another operation is that of no transfer', () => {
    const created = { input: { dict_key: 'a@example.com', amount: '25.00' }, sentAt: SENT_AT }
    expect(match(created, eventWith({}))).toBe('no')
  })

  it.each([{ input: undefined, sentAt: SENT_AT }, { input: { type: 'dict' }, sentAt: 'soon' }, {}])(
    'must be that of an unknown outcome: %j',
    (request) => {
      expect(() => match(request as never, eventWith({}))).toThrow('"input" and "sentAt"')
    },
  )

  it('of `pay` has the check, also after it was stored as JSON', async () => {
    const check = findExample('checkKey', 200) as { dict_key: string }
    const { payments } = service(({ path }) =>
      path.includes('check') ? json(check) : json({}, 503),
    )
    const payee = await payments.keys.check(check.dict_key)
    const error: OutcomeUnknownError = await payee.pay({ amount: '25.00' }).catch((e) => e)
    const stored: UnknownPayment = JSON.parse(JSON.stringify(error.request))
    expect(stored.check).toEqual(check)

    const { data } = findExample('createTransfer', 201) as { data: object }
    const owner = { tax_id: '11144477735', ispb: '99999002' }
    const values = { ...data, amount: '25.00', initiation_type: 'DICT', beneficiary: owner }
    const timestamp = new Date(error.request.sentAt.getTime() + 1000).toISOString()
    expect(match(stored, eventWith(values, 'transfer.settled', timestamp))).toBe('yes')
  })
})
