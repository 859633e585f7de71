import {
  balances,
  charge,
  chargeOf,
  charges,
  check,
  codeOf,
  create,
  example,
  expectFindings,
  inOrder,
  type Json,
  lookUp,
  type Manner,
  pass,
  payCode,
  payKey,
  readUser,
  type Step,
  signIn,
} from './story.ts'

const DAY = 86_400_000
const data = (name: 'immediatePending' | 'keySettled') =>
  example(name).data as Record<string, unknown>
/** A look-up, and a transfer by it. */
const payByKey = (edit: Json, manner: Manner = {}): Step =>
  inOrder(lookUp({}, manner), payKey({}, edit, manner))
/** The customer pays 25.00 to a key, by a look-up of its own. */
const payOnce = (count: number): Step => {
  const [initiation_id, id] = [`ini_${count}`, `10c8831e-5542-4eec-9938-78a167deb0b${count}`]
  const end_to_end_id = `${String(data('keySettled').end_to_end_id).slice(0, -1)}${count}`
  return inOrder(
    lookUp({ initiation_id }, { by: 'customer' }),
    payKey({ initiation_id }, { id, end_to_end_id }, { by: 'customer', shows: { id } }),
  )
}
const moved = (after: Step, ...others: Step[]) => [charge, balances('100.00'), ...others, after]
const TAKEN = balances('64.10', '135.90')
const REJECTED = balances('100.00', '100.00', {
  rejected: [String(example('immediatePending').id)],
})

/** A due-date charge of 1000.99 that is due on Friday 2026-11-06, and the check of its code. */
const due = (amount: object, days: number, shown: object): Step[] => [
  create('dueDateQrCode', {
    amount: { original: '1000.99', ...amount },
    calendar: { due_date: '2026-11-06', expiration_days: 30 },
  }),
  pass(days * DAY),
  signIn('partner'),
  check(
    { ...example('dueDateCode'), ...WITHOUT, ...OF_RECORD, ...shown },
    { emv: codeOf(1, 'dueDateQrCode') },
  ),
]
const OF_RECORD = {
  tx_id: `T${'1'.padStart(29, '0')}`,
  url: 'pix.example.com/qr/v2/1',
  due_date: '2026-11-06',
}
const WITHOUT = {
  original_amount: '1000.99',
  deduction: '0',
  discount: '0',
  fine: '0',
  interest: '0',
}
const discount = { modality: '1', fixedDateDiscount: [{ amount: '5.00', date: '2026-11-04' }] }
const DISCOUNTED = { discount: '5.00', final_amount: '995.99' }
const of = (amount: string, modality: string) => ({ amount, modality })

expectFindings({
  nothing: {
    'a transfer that moves its amount once': moved(TAKEN, payCode()),
    'while an amount is set aside': moved(
      balances('64.10', '100.00', { isPending: true }),
      payCode(),
    ),
    'two transfers of all money': [
      ...[balances('50.00'), payOnce(1), payOnce(2), balances('0.00')],
    ],
    'two transfers of more than the account holds, of which one is rejected': [
      balances('40.00'),
      payOnce(1),
      payOnce(2),
      balances('15.00', '100.00', { rejected: ['10c8831e-5542-4eec-9938-78a167deb0b1'] }),
    ],
    'a transfer whose outcome is unknown': moved(balances('100.00'), payCode({}, { lost: true })),
    'a code before its transfer has settled': [charge, payCode(), charges()],
    'the account of a customer': [readUser(), payByKey({}, { by: 'customer' })],
    'a code refused before its transfer settles': [
      charge,
      payCode(),
      payCode({}, { refused: 'code_paid' }),
    ],
    'a code whose transfer was rejected': [...moved(REJECTED, payCode()), charges()],
    'a transfer to an own key that moves nothing': [
      chargeOf({ dict_key: example('payKey').dict_key }),
      ...[balances('100.00'), payByKey({}), balances('100.00')],
    ],
    'a charge on its due date': due({ fine: of('2.00', '1') }, 4, { final_amount: '1000.99' }),
    'interest by the day': due({ interest: of('3.00', '3') }, 7, {
      interest: '3.00',
      final_amount: '1003.99',
    }),
    'interest on business days': due({ interest: of('1.00', '5') }, 7, {
      interest: '1.00',
      final_amount: '1001.99',
    }),
    'a discount on its date': due({ discount }, 2, DISCOUNTED),
  },
  'money-covered@createTransfer': {
    'two pending transfers of more than the account holds': [
      ...[balances('40.00'), payOnce(1), payOnce(2), balances('-10.00')],
    ],
  },
  'money-moved@createTransfer once-used@createTransfer': {
    'a transfer that is shown again and takes its amount again': [
      ...[charge, payCode(), TAKEN, payCode(), balances('28.20', '135.90')],
    ],
  },
  'money-moved@createTransfer': {
    'an amount that is taken twice': moved(balances('28.20', '135.90'), payCode()),
    'a rejected transfer whose amount stays set aside': moved(
      balances('64.10', '100.00', { rejected: [String(example('immediatePending').id)] }),
      payCode(),
    ),
    'an amount that the receiver does not get': moved(balances('64.10'), payCode()),
    'a transfer of an account to itself that moves its amount': moved(
      TAKEN,
      payCode({}, { by: 'partner' }),
    ),
  },
  'money-moved@createTransfer refusals-true@createTransfer': {
    'a refused transfer that takes money': moved(
      TAKEN,
      payCode({}, { refused: 'invalid_code', variant: true }),
    ),
  },
  'money-settled@listImmediateQrCodes': {
    'a paid code that stays open': [...moved(TAKEN, payCode()), charges()],
  },
  'refusals-true@createTransfer': {
    'a code paid after a rejection': [
      ...moved(REJECTED, payCode()),
      payCode({}, { refused: 'code_paid' }),
    ],
  },
  'money-accounts@createTransfer': {
    'another account than that of the customer': [
      readUser(),
      payByKey({ account_id: '7c1b4a0e-6c0d-4b0e-9d3e-2f1a5b6c7d8e' }, { by: 'customer' }),
    ],
    'an account that pays for another identity': [charge, payCode(), payByKey({})],
    'another payer for one account': [
      charge,
      payCode(),
      payByKey({ payer: data('immediatePending').beneficiary }, { by: 'customer' }),
    ],
    'an end_to_end_id that is used again': [
      charge,
      payCode(),
      payByKey({ end_to_end_id: data('immediatePending').end_to_end_id }, { by: 'customer' }),
    ],
  },
  'money-due@checkCode': {
    'a fine on the due date': due({ fine: of('2.00', '1') }, 4, {
      fine: '2.00',
      final_amount: '1002.99',
    }),
    'interest that is rounded up': due({ interest: of('3.00', '3') }, 8, {
      interest: '4.01',
      final_amount: '1005.00',
    }),
    'a discount after its date': due({ discount }, 3, DISCOUNTED),
    'an amount in fractions of a centavo': due({}, 0, { final_amount: '1000.990000000001' }),
  },
})
