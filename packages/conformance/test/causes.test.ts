import { encode } from '@partner-payments/brcode'
import { expect, test } from 'vitest'
import {
  balances,
  cancel,
  charge,
  charges,
  check,
  codeOf,
  create,
  createCharge,
  createWebhook,
  example,
  expectFindings,
  lookUp,
  type Manner,
  pass,
  payCode,
  payKey,
  type Refusal,
  readStory,
  type Step,
  signIn,
} from './story.ts'

const MINUTE_MS = 60_000
/** From the start of a story, half past eleven in Brazil, until half a second before midnight there. */
const UNTIL_MIDNIGHT_MS = 750 * MINUTE_MS - 500
const original = '10.00'

/** Looks up a key, which the response repeats. */
function look(dict_key = 'beltrana@example.com', manner: Manner = {}): Step {
  return lookUp({ dict_key }, { sent: { dict_key }, ...manner })
}

/** The customer has 30.00 and a look-up. */
const holding30 = [charge, payCode(), balances('30.00'), look(undefined, { by: 'customer' })]

/** A creation that was accepted, and an edit of it. */
function edited(
  amount: object,
  manner: Manner = { variant: true },
  due_date = '2026-12-15',
): Step[] {
  const calendar = { due_date, expiration_days: 30 }
  return [create('dueDateQrCode'), create('dueDateQrCode', { amount, calendar }, manner)]
}

/** A creation of each kind that was accepted, and an edit of its payer. */
const ofPayer = (kind: 'dueDateQrCode' | 'immediateQrCode', payer: unknown): Step[] => [
  create(kind),
  create(kind, { payer }, { variant: '/payer' }),
]

/** A static code with a key, checked as a variant of one that was checked before. */
function checkWithKey(key: string, manner: Manner = {}): Step[] {
  const shows = example('staticCode')
  const sent = { dict_key: 'beltrana@example.com', message: undefined }
  const emvOf = (dict_key: string) =>
    encode(
      {
        key: dict_key,
        merchantName: 'Loja',
        merchantCity: 'BRASILIA',
        amount: '10.50',
        txid: '***',
      },
      { profile: 'lenient' },
    )
  return [
    look(sent.dict_key),
    check({ ...shows, ...OF_LOOK_UP }, { emv: emvOf(sent.dict_key) }),
    check({ ...shows, ...OF_LOOK_UP }, { emv: emvOf(key), variant: true, ...manner }),
  ]
}

/** The beneficiary of a check, as the look-up shows it. */
const OF_LOOK_UP = {
  beneficiary: {
    account_number: '2345678',
    account_type: 'TRAN',
    branch: '0001',
    dict_key: 'beltrana@example.com',
    ispb: '99999029',
    name: 'Beltrana de Tal',
    tax_id: '***.444.777-**',
    trade_name: '',
  },
}

/** A variant of the request before it, refused. */
const refused = (code: Refusal): Manner => ({ variant: true, refused: code })

/** The most characters of a message beside the key of the example. */
const LONGEST = 73 - String(example('createStatic').dict_key).length

expectFindings([
  {
    title: 'it takes the check of a code whose payment is pending for right',
    story: [charge, payCode(), check()],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a key without the form of one, which is refused',
    story: [look(), look('no key', refused('invalid_key'))],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with another code where no valid request was accepted',
    story: [look('no key', { refused: 'not_found' })],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a charge refused after its end',
    story: [charge, pass(61 * MINUTE_MS), check({}, { refused: 'code_expired' })],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a charge near its end',
    story: [charge, pass(60 * MINUTE_MS), check({}, { refused: 'code_expired' })],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with the amount of a code',
    story: [charge, payCode()],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a payment today',
    story: [look(), payKey({ payment_date: '2026-11-02' })],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with the beneficiary of a look-up',
    story: [look(), payKey({ beneficiary: { tax_id: '11144477735', branch: '1' } })],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a slow look-up whose lifetime began with its request',
    story: [
      look(undefined, { ms: 20_000 }),
      pass(20_000),
      pass(30 * MINUTE_MS - 15_000),
      payKey({}, {}, { refused: 'initiation_invalid' }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a look-up that is refused after its lifetime',
    story: [look(), pass(31 * MINUTE_MS), payKey({}, {}, { refused: 'initiation_invalid' })],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a charge that is refused for its cause',
    story: edited({ original: '0.00' }, refused('invalid_charge')),
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a due date of today',
    story: edited({ original }, {}, '2026-11-02'),
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a deduction of 99.99 percent',
    story: edited({
      original,
      deduction: { amount: '99.99', modality: '2' },
    }),
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a webhook on this machine',
    story: [createWebhook({ url: 'http://127.0.0.1:8080/' })],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with an immediate charge without a payer',
    story: ofPayer('immediateQrCode', undefined),
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a discount of 43 days that leaves 0.11',
    story: edited({ original, discount: { amount: '0.23', modality: '3' } }),
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a code of nobody, which is refused',
    story: checkWithKey(' 5561912345678', { refused: 'invalid_code' }),
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a masked tax ID that is sent back',
    story: [look(), payKey({ beneficiary: { tax_id: '***.444.777-**' } })],
    finds: [],
  },
  {
    title: 'it finds a text that is looked up as a key',
    story: [look('no key')],
    finds: ['refusals-causes@checkKey'],
  },
  {
    title: 'it finds wrong check digits',
    story: [look('11144477736')],
    finds: ['refusals-causes@checkKey', 'responses-agree@checkKey'],
  },
  {
    title: 'it finds another code than that of the cause',
    story: [look(), look('no key', refused('not_found'))],
    finds: ['refusals-coded@checkKey'],
  },
  {
    title: 'it finds another status than that of the code',
    story: [look(), look('no key', refused({ code: 'invalid_key', status: 400 }))],
    finds: ['refusals-coded@checkKey', 'refusals-declared@checkKey'],
  },
  {
    title: 'it finds a key that is refused as none',
    story: [look('+5561912345678', { refused: 'invalid_key' })],
    finds: ['refusals-true@checkKey'],
  },
  {
    title: 'it finds a code with a wrong checksum',
    story: [charge, check({}, { emv: `${codeOf(1).slice(0, -4)}0000` })],
    finds: ['refusals-causes@checkCode'],
  },
  {
    title: 'it finds the check of a cancelled charge',
    story: [charge, cancel(), check()],
    finds: ['refusals-causes@checkCode'],
  },
  {
    title: 'it finds an open charge refused as expired',
    story: [charge, check({}, { refused: 'code_expired' })],
    finds: ['refusals-true@checkCode'],
  },
  {
    title: 'it finds a charge that is paid three seconds after its end',
    story: [createCharge({ calendar: { expiration: 600 } }), pass(603_000), payCode()],
    finds: ['refusals-causes@createTransfer'],
  },
  {
    title: 'it finds an expired charge, paid',
    story: [createCharge({ calendar: { expiration: 600 } }), pass(11 * MINUTE_MS), payCode()],
    finds: ['refusals-causes@createTransfer'],
  },
  {
    title: 'it finds another amount than a code fixes',
    story: [charge, payCode({}, { amount: '35.91' })],
    finds: ['refusals-causes@createTransfer'],
  },
  {
    title: 'it knows no amount of a code whose discount has a modality of the service',
    story: [
      create('dueDateQrCode', {
        amount: {
          original: '40.90',
          discount: {
            modality: 'value',
            fixedDateDiscount: [{ amount: '5.00', date: '2026-11-04' }],
          },
        },
        calendar: { due_date: '2026-11-06', expiration_days: 30 },
      }),
      payCode({}, { emv: codeOf(1, 'dueDateQrCode') }),
    ],
    finds: ['refusals-invalid@createDueDateQrCode'],
  },
  {
    title: 'it finds a payment of another day',
    story: [look(), payKey({ payment_date: '2026-11-03' })],
    finds: ['refusals-causes@createTransfer'],
  },
  {
    title: 'it finds an amount of zero',
    story: [look(), payKey({ amount: '0.00' })],
    finds: ['refusals-causes@createTransfer'],
  },
  {
    title: 'it finds a code whose key lost its +',
    story: checkWithKey(' 5561912345678'),
    finds: ['refusals-causes@checkCode'],
  },
  {
    title: 'it finds a code whose key nobody has',
    story: checkWithKey('nobody@pix.invalid'),
    finds: ['refusals-causes@checkCode'],
  },
  {
    title: 'it finds a masked tax ID that is refused',
    story: [
      look(),
      payKey(
        { beneficiary: { tax_id: '***.444.777-**' } },
        {},
        { refused: 'beneficiary_mismatch' },
      ),
    ],
    finds: ['refusals-true@createTransfer'],
  },
  {
    title: 'it finds the masked tax ID of somebody else',
    story: [look(), payKey({ beneficiary: { tax_id: '***.982.247-**' } })],
    finds: ['refusals-causes@createTransfer'],
  },
  {
    title: 'it finds a due-date charge without a payer',
    story: ofPayer('dueDateQrCode', undefined),
    finds: ['refusals-causes@createDueDateQrCode'],
  },
  {
    title: 'it finds a payer without a name',
    story: ofPayer('dueDateQrCode', { tax_id: '12345678909' }),
    finds: ['refusals-causes@createDueDateQrCode'],
  },
  {
    title: 'it finds the payer of an immediate charge without a tax ID',
    story: ofPayer('immediateQrCode', { name: 'Fulano de Tal' }),
    finds: ['refusals-causes@createImmediateQrCode'],
  },
  {
    title: 'it finds a discount by day that leaves nothing on the first day',
    story: edited({ original, discount: { amount: '1.00', modality: '3' } }),
    finds: ['refusals-causes@createDueDateQrCode'],
  },
  {
    title: 'it finds a deduction and a discount that leave nothing together',
    story: edited({
      original,
      deduction: { amount: '6.00', modality: '1' },
      discount: { modality: '1', fixedDateDiscount: [{ amount: '4.00', date: '2026-12-10' }] },
    }),
    finds: ['refusals-causes@createDueDateQrCode'],
  },
  {
    title: 'it finds a discount by date with an amount beside it',
    story: edited({
      original,
      discount: {
        amount: '1.00',
        modality: '1',
        fixedDateDiscount: [{ amount: '1.00', date: '2026-12-10' }],
      },
    }),
    finds: ['refusals-causes@createDueDateQrCode'],
  },
  {
    title: 'it finds another beneficiary than of the look-up',
    story: [look(), payKey({ beneficiary: { tax_id: '52998224725' } })],
    finds: ['refusals-causes@createTransfer'],
  },
  {
    title: 'it finds more than the account holds',
    story: [...holding30, payKey({ amount: '30.01' }, {}, { by: 'customer' })],
    finds: ['refusals-causes@createTransfer'],
  },
  {
    title: 'it finds a code that is paid after its end, which the list shows by a word of its own',
    story: [
      createCharge({ calendar: { expiration: 60 } }),
      pass(2 * MINUTE_MS),
      charges('', { shown: (all) => all.map((one) => ({ ...one, status: 'EXPIRADA' })) }),
      payCode(),
    ],
    finds: [
      'codes-ended@listImmediateQrCodes',
      'refusals-causes@createTransfer',
      'responses-shape@listImmediateQrCodes',
    ],
  },
  {
    title: 'it finds the amount of a code that is refused',
    story: [charge, payCode({}, { refused: 'amount_not_allowed' })],
    finds: ['refusals-true@createTransfer'],
  },
  {
    title: 'it finds a look-up that is refused after some minutes',
    story: [look(), pass(20 * MINUTE_MS), payKey({}, {}, { refused: 'initiation_invalid' })],
    finds: ['refusals-true@createTransfer'],
  },
  {
    title: 'it finds all that the account holds, refused',
    story: [
      ...holding30,
      payKey({ amount: '30.00' }, {}, { by: 'customer', refused: 'insufficient_funds' }),
    ],
    finds: ['refusals-true@createTransfer'],
  },
  {
    title: 'it finds a charge without an amount',
    story: edited({}),
    finds: ['refusals-causes@createDueDateQrCode', 'responses-shape@createDueDateQrCode'],
  },
  {
    title: 'it finds a charge in the past whose tx_id is taken by the next one',
    story: [
      ...edited({ original }, { variant: true }, '2026-10-02'),
      create(
        'dueDateQrCode',
        { amount: { original: '0.00' }, tx_id: 'T00000000000000000000000000002' },
        refused('tx_id_taken'),
      ),
    ],
    finds: ['refusals-causes@createDueDateQrCode'],
  },
  {
    title: 'it finds a charge of nothing',
    story: edited({ original: '0.00' }),
    finds: ['refusals-causes@createDueDateQrCode'],
  },
  {
    title: 'it finds a due date in the past',
    story: edited({ original }, {}, '2026-11-01'),
    finds: ['refusals-causes@createDueDateQrCode'],
  },
  {
    title: 'it finds a deduction of everything',
    story: edited({
      original,
      deduction: { amount: original, modality: '1' },
    }),
    finds: ['refusals-causes@createDueDateQrCode'],
  },
  {
    title: 'it finds a discount without its dates',
    story: edited({
      original,
      discount: { amount: '1.00', modality: '1' },
    }),
    finds: ['refusals-causes@createDueDateQrCode'],
  },
  {
    title: 'it finds a discount by day with dates',
    story: edited({
      original,
      discount: { modality: '3', amount: '1.00', fixedDateDiscount: [] },
    }),
    finds: ['refusals-causes@createDueDateQrCode'],
  },
  {
    title: 'it finds a discount after the due date',
    story: edited({
      original,
      discount: { modality: '1', fixedDateDiscount: [{ amount: '1.00', date: '2026-12-16' }] },
    }),
    finds: ['refusals-causes@createDueDateQrCode'],
  },
  {
    title: 'it finds a valid charge that is refused',
    story: edited(
      { original, deduction: { amount: '99.99', modality: '2' } },
      refused('invalid_charge'),
    ),
    finds: ['refusals-true@createDueDateQrCode'],
  },
  {
    title: 'it finds the longest message beside the key',
    story: [
      create('staticQrCode'),
      create('staticQrCode', { message: 'a'.repeat(LONGEST) }, refused('invalid_charge')),
    ],
    finds: ['refusals-true@createStaticQrCode'],
  },
  {
    title: 'it finds the key of another account',
    story: [charge, check(), look(), createCharge({ dict_key: 'beltrana@example.com' })],
    finds: ['refusals-causes@createImmediateQrCode'],
  },
  {
    title: 'it finds a webhook without https',
    story: [createWebhook({ url: 'http://loja.example/pix' })],
    finds: ['refusals-causes@createWebhook'],
  },
  {
    title: 'it finds a webhook in a private network',
    story: [createWebhook({ url: 'https://0x0a000001/pix' })],
    finds: ['refusals-causes@createWebhook'],
  },
])

test('it calls a check of an expired charge another status value, and no other end', () => {
  const calendar = { due_date: '2026-11-03', expiration_days: 0 }
  const emv = codeOf(1, 'dueDateQrCode')
  const { findings } = readStory([
    create('dueDateQrCode', { amount: { original }, calendar }),
    pass(5 * 24 * 60 * MINUTE_MS),
    signIn('partner'),
    check(example('dueDateCode'), { emv }),
  ])
  const causes = findings.filter(({ rule }) => rule === 'refusals-causes')
  expect(causes.map(({ cites }) => cites)).toMatchObject([{ question: 'code-status-values' }])
})

/** A payment of a key with a date, and half a second before midnight the same with an unknown initiation_id, refused. */
function refuseAt(waitMs: number, payment_date: string): Step[] {
  const manner: Manner = { variant: true, refused: 'payment_date_not_allowed' }
  return [
    look(),
    payKey({ payment_date: '2026-11-02' }),
    pass(waitMs),
    signIn('partner'),
    payKey({ payment_date, initiation_id: 'unknown' }, {}, manner),
  ]
}

expectFindings([
  {
    title: 'it lets a service refuse a payment_date around midnight, whatever else is wrong',
    story: refuseAt(UNTIL_MIDNIGHT_MS, '2026-11-02'),
    finds: [],
  },
  {
    title: 'it finds a payment_date of today that is refused in place of what is wrong',
    story: refuseAt(UNTIL_MIDNIGHT_MS - 10 * MINUTE_MS, '2026-11-02'),
    finds: ['refusals-coded@createTransfer'],
  },
  {
    title: 'it lets a service refuse a due date of today around midnight',
    story: [
      pass(UNTIL_MIDNIGHT_MS),
      signIn('partner'),
      create('dueDateQrCode'),
      create(
        'dueDateQrCode',
        { amount: { original }, calendar: { due_date: '2026-11-02' } },
        { refused: 'invalid_charge' },
      ),
    ],
    finds: [],
  },
  {
    title: 'it finds a due date of today that is refused at noon',
    story: [
      create('dueDateQrCode'),
      create(
        'dueDateQrCode',
        { amount: { original }, calendar: { due_date: '2026-11-02' } },
        { refused: 'invalid_charge' },
      ),
    ],
    finds: ['refusals-true@createDueDateQrCode'],
  },
  {
    title: 'it lets a service refuse a code at its end, whatever else is wrong',
    story: [
      charge,
      payCode(),
      createCharge({ calendar: { expiration: 600 } }),
      pass(10 * MINUTE_MS),
      payCode({}, { emv: codeOf(2), amount: '1.00', variant: true, refused: 'code_expired' }),
    ],
    finds: [],
  },
])
