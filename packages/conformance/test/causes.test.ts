import { expect, test } from 'vitest'
import {
  balances,
  call,
  cancel,
  codeOf,
  create,
  example,
  findings,
  type Manner,
  pass,
  type Row,
  type Step,
} from './story.ts'

const CHECK = 'POST /pix/brcode/emv/'
const MINUTE = 60_000
const lookUp = (dict_key: string, manner: Manner = {}) =>
  call('POST /pix/dict/check/', { dict_key }, { ...example('emailKey'), dict_key }, manner)
const check = (emv: string, manner: Manner = {}, edit: object = {}) =>
  call(
    CHECK,
    { emv },
    {
      ...example('immediateCode'),
      tx_id: `T${'1'.padStart(29, '0')}`,
      url: 'pix.example.com/qr/v2/1',
      ...edit,
    },
    manner,
  )
const pay = (sent: object, manner: Manner = {}) => {
  const body = { ...example('payKey'), initiation_id: 'ini_7Qm2Vb9XcT4kLr8NzW3s', ...sent }
  return call('POST /pix/out/', body, example('keySettled'), { status: 201, ...manner })
}
const payCode = (amount: string, manner: Manner = {}) =>
  call('POST /pix/out/', { type: 'emv', emv: codeOf(1), amount }, example('immediatePending'), {
    status: 201,
    by: 'customer',
    ...manner,
  })
/** A creation that was accepted, and an edit of it. */
const edited = (amount: object, manner: Manner = { variant: true }, due = '2026-12-15'): Step[] => [
  create('dueDateQrCode'),
  create('dueDateQrCode', { amount, calendar: { due_date: due, expiration_days: 30 } }, manner),
]
const refused = (code: string, status = 422): Manner => ({ variant: true, refused: [status, code] })
const accepted = (at: string, ...codes: string[]) => codes.map((it) => `${it}@${at}`)
const DUE = 'createDueDateQrCode'
const original = '10.00'

const rows: readonly Row[] = [
  [
    'nothing of a key without the form of one, which is refused',
    [lookUp('beltrana@example.com'), lookUp('no key', refused('invalid_key'))],
  ],
  ['a text that is looked up as a key', [lookUp('no key')], accepted('checkKey', 'refusals-causes')],
  ['wrong check digits', [lookUp('11144477736')], accepted('checkKey', 'money-keys', 'refusals-causes')],
  [
    'another code than that of the cause',
    [lookUp('beltrana@example.com'), lookUp('no key', refused('not_found', 404))],
    accepted('checkKey', 'refusals-coded'),
  ],
  [
    'another status than that of the code',
    [lookUp('beltrana@example.com'), lookUp('no key', refused('invalid_key', 400))],
    accepted('checkKey', 'refusals-coded', 'refusals-declared'),
  ],
  [
    'nothing of another code where no valid request was accepted',
    [lookUp('no key', { refused: [404, 'not_found'] })],
  ],
  [
    'a key that is refused as none',
    [lookUp('+5561912345678', { refused: [422, 'invalid_key'] })],
    accepted('checkKey', 'refusals-true'),
  ],

  [
    'a code with a wrong checksum',
    [create('immediateQrCode'), check(`${codeOf(1).slice(0, -4)}0000`)],
    accepted('checkCode', 'refusals-causes'),
  ],
  [
    'the check of a cancelled charge',
    [create('immediateQrCode'), cancel(), check(codeOf(1))],
    accepted('checkCode', 'refusals-causes'),
  ],
  [
    'an open charge that is refused as expired',
    [create('immediateQrCode'), check(codeOf(1), { refused: [422, 'code_expired'] })],
    accepted('checkCode', 'refusals-true'),
  ],
  [
    'nothing of a charge that is refused after its end',
    [create('immediateQrCode'), pass(61 * MINUTE), check(codeOf(1), { refused: [422, 'code_expired'] })],
  ],
  [
    'a charge that is paid three seconds after its end',
    [create('immediateQrCode', { calendar: { expiration: 600 } }), pass(603_000), payCode('35.90')],
    ['refusals-causes@createTransfer'],
  ],
  [
    'an expired charge that is paid',
    [create('immediateQrCode', { calendar: { expiration: 600 } }), pass(11 * MINUTE), payCode('35.90')],
    accepted('createTransfer', 'refusals-causes'),
  ],
  [
    'nothing of a charge near its end',
    [create('immediateQrCode'), pass(60 * MINUTE), check(codeOf(1), { refused: [422, 'code_expired'] })],
  ],
  ['nothing of the amount of a code', [create('immediateQrCode'), payCode('35.90')]],
  [
    'another amount than a code fixes',
    [create('immediateQrCode'), payCode('35.91')],
    accepted('createTransfer', 'refusals-causes'),
  ],
  [
    'the amount of a code that is refused',
    [create('immediateQrCode'), payCode('35.90', { refused: [422, 'amount_not_allowed'] })],
    accepted('createTransfer', 'refusals-true'),
  ],

  ['nothing of a payment today', [lookUp('beltrana@example.com'), pay({ payment_date: '2026-11-02' })]],
  [
    'a payment of another day',
    [lookUp('beltrana@example.com'), pay({ payment_date: '2026-11-03' })],
    accepted('createTransfer', 'refusals-causes'),
  ],
  [
    'an amount of zero',
    [lookUp('beltrana@example.com'), pay({ amount: '0.00' })],
    accepted('createTransfer', 'refusals-causes'),
  ],
  [
    'nothing of the beneficiary of a look-up',
    [lookUp('beltrana@example.com'), pay({ beneficiary: { tax_id: '11144477735', branch: '1' } })],
  ],
  [
    'another beneficiary than that of the look-up',
    [lookUp('beltrana@example.com'), pay({ beneficiary: { tax_id: '52998224725' } })],
    accepted('createTransfer', 'refusals-causes'),
  ],
  [
    'a look-up that is refused after some minutes',
    [lookUp('beltrana@example.com'), pass(20 * MINUTE), pay({}, { refused: [422, 'initiation_invalid'] })],
    accepted('createTransfer', 'refusals-true'),
  ],
  [
    'nothing of a look-up that is refused after its lifetime',
    [lookUp('beltrana@example.com'), pass(31 * MINUTE), pay({}, { refused: [422, 'initiation_invalid'] })],
  ],
  [
    'more than the account holds',
    [
      create('immediateQrCode'),
      payCode('35.90'),
      balances('30.00'),
      lookUp('beltrana@example.com', { by: 'customer' }),
      pay({ amount: '30.01' }, { by: 'customer' }),
    ],
    accepted('createTransfer', 'refusals-causes'),
  ],
  [
    'nothing of a charge that is refused for its cause',
    edited({ original: '0.00' }, refused('invalid_charge')),
  ],
  ['a charge without an amount', edited({}), accepted(DUE, 'refusals-causes', 'responses-shape')],
  ['a charge of nothing', edited({ original: '0.00' }), accepted(DUE, 'refusals-causes')],
  ['a due date in the past', edited({ original }, {}, '2026-11-01'), accepted(DUE, 'refusals-causes')],
  ['nothing of a due date of today', edited({ original }, {}, '2026-11-02')],
  [
    'a deduction of everything',
    edited({ original, deduction: { amount: original, modality: '1' } }),
    accepted(DUE, 'refusals-causes'),
  ],
  [
    'nothing of a deduction of 99.99 percent',
    edited({ original, deduction: { amount: '99.99', modality: '2' } }),
  ],
  [
    'a valid charge that is refused',
    edited({ original, deduction: { amount: '99.99', modality: '2' } }, refused('invalid_charge')),
    accepted(DUE, 'refusals-true'),
  ],
  [
    'a discount without its dates',
    edited({ original, discount: { amount: '1.00', modality: '1' } }),
    accepted(DUE, 'refusals-causes'),
  ],
  [
    'a discount after the due date',
    edited({
      original,
      discount: { modality: '1', fixedDateDiscount: [{ amount: '1.00', date: '2026-12-16' }] },
    }),
    accepted(DUE, 'refusals-causes'),
  ],
  [
    'the key of another account',
    [
      create('immediateQrCode'),
      check(codeOf(1)),
      lookUp('beltrana@example.com'),
      create('immediateQrCode', { dict_key: 'beltrana@example.com' }),
    ],
    accepted('createImmediateQrCode', 'refusals-causes'),
  ],

  [
    'a webhook without https',
    [create('webhook', { url: 'http://loja.example/pix' })],
    accepted('createWebhook', 'refusals-causes'),
  ],
  [
    'a webhook in a private network',
    [create('webhook', { url: 'https://0x0a000001/pix' })],
    accepted('createWebhook', 'refusals-causes'),
  ],
  ['nothing of a webhook on this machine', [create('webhook', { url: 'http://127.0.0.1:8080/' })]],
]

for (const [title, steps, expected = []] of rows)
  test(`it finds ${title}`, () => {
    expect(findings(...steps)).toEqual(expected)
  })
