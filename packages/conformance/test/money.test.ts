import { expect, test } from 'vitest'
import {
  balances,
  call,
  codeOf,
  create,
  example,
  findings,
  list,
  type Manner,
  pass,
  type Row,
  type Step,
} from './story.ts'

const DAY = 86_400_000
const data = (name: 'immediatePending' | 'keySettled') => example(name).data as Record<string, unknown>
/** A customer pays the first code of a story. */
const pay = (manner: Manner = {}, edit: object = {}): Step =>
  call(
    'POST /pix/out/',
    { type: 'emv', emv: codeOf(1), amount: '35.90' },
    { ...example('immediatePending'), data: { ...data('immediatePending'), ...edit } },
    {
      status: 201,
      by: 'customer',
      ...manner,
    },
  )
const payKey = (edit: object, manner: Manner = {}): Step[] => [
  call('POST /pix/dict/check/', { dict_key: 'beltrana@example.com' }, example('emailKey'), manner),
  call(
    'POST /pix/out/',
    example('payKey'),
    { ...example('keySettled'), data: { ...data('keySettled'), ...edit } },
    { status: 201, ...manner },
  ),
]
const moved = (after: Step, ...others: Step[]) => [
  create('immediateQrCode'),
  balances('100.00'),
  ...others,
  after,
]
const [TAKEN, MOVED] = [balances('64.10', '135.90'), 'money-moved@createTransfer']

/** A due-date charge of 1000.99 that is due on Friday 2026-11-06, and the check of its code. */
const due = (amount: object, days: number, shown: object): Step[] => [
  create('dueDateQrCode', {
    amount: { original: '1000.99', ...amount },
    calendar: { due_date: '2026-11-06', expiration_days: 30 },
  }),
  pass(days * DAY),
  call(
    'POST /auth/partner/token/',
    undefined,
    { ...example('partnerTokens'), access_token: 'token-of-partner' },
    { authorization: `Basic ${btoa('partner:secret')}` },
  ),
  call(
    'POST /pix/brcode/emv/',
    { emv: codeOf(1, 'dueDateQrCode') },
    {
      ...example('dueDateCode'),
      ...{
        original_amount: '1000.99',
        deduction: '0',
        discount: '0',
        fine: '0',
        interest: '0',
        due_date: '2026-11-06',
      },
      ...{ tx_id: `T${'1'.padStart(29, '0')}`, url: 'pix.example.com/qr/v2/1', ...shown },
    },
  ),
]
const of = (amount: string, modality: string) => ({ amount, modality })

const rows: readonly Row[] = [
  ['nothing of a transfer that moves its amount once', moved(TAKEN, pay())],
  ['an amount that is taken twice', moved(balances('28.20', '135.90'), pay()), [MOVED]],
  ['an amount that the receiver does not get', moved(balances('64.10'), pay()), [MOVED]],
  [
    'a refused transfer that takes its amount',
    moved(TAKEN, pay({ refused: [422, 'invalid_code'], variant: true })),
    [MOVED, 'refusals-true@createTransfer'],
  ],
  ['a transfer of an account to itself that moves its amount', moved(TAKEN, pay({ by: 'partner' })), [MOVED]],
  ['nothing while an amount is set aside', moved(balances('64.10', '100.00', '35.90'), pay())],
  ['nothing of a transfer whose outcome is unknown', moved(balances('100.00'), pay({ lost: true }))],
  [
    'a paid code that stays open',
    [...moved(TAKEN, pay()), list('immediateQrCode')],
    ['money-settled@listImmediateQrCodes'],
  ],
  [
    'nothing of a code before its transfer has settled',
    [create('immediateQrCode'), pay(), list('immediateQrCode')],
  ],
  [
    'an account that pays for another identity',
    [create('immediateQrCode'), pay(), ...payKey({})],
    ['money-accounts@createTransfer'],
  ],
  [
    'another payer for one account',
    [
      create('immediateQrCode'),
      pay(),
      ...payKey({ payer: data('immediatePending').beneficiary }, { by: 'customer' }),
    ],
    ['money-accounts@createTransfer'],
  ],
  [
    'an end_to_end_id that is used again',
    [
      create('immediateQrCode'),
      pay(),
      ...payKey({ end_to_end_id: data('immediatePending').end_to_end_id }, { by: 'customer' }),
    ],
    ['money-accounts@createTransfer'],
  ],

  ['nothing of a charge on its due date', due({ fine: of('2.00', '1') }, 4, { final_amount: '1000.99' })],
  [
    'a fine on the due date',
    due({ fine: of('2.00', '1') }, 4, { fine: '2.00', final_amount: '1002.99' }),
    ['money-due@checkCode'],
  ],
  [
    'nothing of interest by the day, truncated',
    due({ interest: of('3.00', '3') }, 7, { interest: '3.00', final_amount: '1003.99' }),
  ],
  [
    'interest that is rounded up',
    due({ interest: of('3.00', '3') }, 8, { interest: '4.01', final_amount: '1005.00' }),
    ['money-due@checkCode'],
  ],
  [
    'nothing of interest on business days',
    due({ interest: of('1.00', '5') }, 7, { interest: '1.00', final_amount: '1001.99' }),
  ],
  [
    'a discount after its date',
    due({ discount: { modality: '1', fixedDateDiscount: [{ amount: '5.00', date: '2026-11-04' }] } }, 3, {
      discount: '5.00',
      final_amount: '995.99',
    }),
    ['money-due@checkCode'],
  ],
  [
    'nothing of a discount on its date',
    due({ discount: { modality: '1', fixedDateDiscount: [{ amount: '5.00', date: '2026-11-04' }] } }, 2, {
      discount: '5.00',
      final_amount: '995.99',
    }),
  ],
  [
    'an amount in fractions of a centavo',
    due({}, 0, { final_amount: '1000.990000000001' }),
    ['money-due@checkCode'],
  ],
]

for (const [title, steps, expected = []] of rows)
  test(`it finds ${title}`, () => {
    expect(findings(...steps)).toEqual(expected)
  })
