import { fieldsOf } from '../../src/contract/json.ts'
import {
  example,
  expectFindingsWith,
  inOrder,
  type Json,
  lookUp,
  type Manner,
  pass,
  payKey,
  readUser,
  type Step,
} from '../story.ts'
import { CONSISTENT, FIRST_CUSTOMER } from './steps.ts'

const KEY = example('emailKey')
const PAYEE: Json = {
  ...FIRST_CUSTOMER,
  id: '00000000-0000-4000-8000-0000000000ff',
  account_id: '00000000-0000-4000-8000-0000000000aa',
  ispb: KEY.ispb,
  account_number: KEY.account_number,
}
const PAYER: Json = {
  ...FIRST_CUSTOMER,
  account_id: fieldsOf(example('keySettled').data).account_id,
}

/** The look-up of a user shows balances beside its customers: that of the payer, and that of the payee. */
function shown(payer: string, payee = '50.00', name = 'available_balance'): Step {
  const customers = [
    { ...PAYER, [name]: payer },
    { ...PAYEE, [name]: payee },
  ]
  return readUser({ customers })
}

/** The customer pays a key, after a look-up for this payment. */
function pays(amount: string, manner: Manner = {}): Step {
  const by = 'customer'
  return (story) => {
    const initiation_id = `ini_${story.events.length}`
    lookUp({ initiation_id }, { by })(story)
    payKey({ initiation_id, amount }, { amount }, { by, ...manner })(story)
  }
}

const REFUSED: Manner = { refused: 'insufficient_funds' }
const PENDING: Manner = { shows: { status: 'pending' } }
const LOST: Manner = { lost: true }
/** The payee pays another key, and the payment is pending. */
const payeePays = payKey(
  { dict_key: '11144477735', amount: '2.50' },
  { amount: '2.50', account_id: PAYEE.account_id },
  PENDING,
)
/** Balances that are shown so late that earlier transfers are in them. */
function shownLater(payer: string, payee?: string): Step {
  return inOrder(pass(6_000), shown(payer, payee))
}

/** A first payment of 1.00 shows that the balances are those of now. */
const moving = inOrder(
  shown('100.00'),
  pays('1.00'),
  shown('99.00', '51.00'),
  shownLater('99.00', '51.00'),
)

expectFindingsWith({ ...CONSISTENT, lagMs: 5_000 }, [
  {
    title: 'it finds nothing in balances that move by the amounts',
    story: [
      moving,
      pays('2.50'),
      shown('96.50', '53.50'),
      shownLater('96.50', '53.50'),
      pays('9.00', REFUSED),
      shown('96.50', '53.50'),
    ],
    finds: [],
  },
  {
    title: 'it finds a payment that is taken twice',
    story: [shown('100.00'), pays('2.50'), shown('95.00', '52.50')],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds a refused payment that is taken',
    story: [moving, pays('9.00', REFUSED), shown('90.00', '51.00')],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds a settled payment that nobody gets',
    story: [shown('100.00'), pays('2.50'), shown('97.50'), shownLater('97.50')],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds nothing in a payment that its receiver gets a little later',
    story: [shown('100.00'), pays('2.50'), shown('97.50'), shownLater('97.50', '52.50')],
    finds: [],
  },
  {
    title: 'it finds nothing in a balance that does not move at all, such as that of yesterday',
    story: [shown('100.00'), pays('2.50'), shown('100.00'), shownLater('100.00')],
    finds: [],
  },
  {
    title: 'it finds nothing in balances that show an earlier payment only after a refused one',
    story: [pays('9.00'), shown('100.00'), pays('9.00', REFUSED), shown('91.00', '59.00')],
    finds: [],
  },
  {
    title: 'it finds nothing in balances that show an earlier payment together with the next one',
    story: [pays('2.50'), shown('100.00'), pays('2.50'), shown('95.00', '55.00')],
    finds: [],
  },
  {
    title: 'it finds nothing in an earlier pending payment that settles meanwhile',
    story: [pays('2.50', PENDING), shownLater('100.00'), pays('2.50'), shown('95.00', '55.00')],
    finds: [],
  },
  {
    title: 'it finds nothing in an earlier pending payment that settles after a refusal',
    story: [
      pays('9.00', PENDING),
      pass(6_000),
      moving,
      pays('9.00', REFUSED),
      shown('90.00', '60.00'),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in an earlier payment without a response that settles meanwhile',
    story: [pays('2.50', LOST), shownLater('100.00'), pays('2.50'), shown('95.00', '55.00')],
    finds: [],
  },
  {
    title: 'it finds nothing in an earlier payment without a response that settles after a refusal',
    story: [
      pays('9.00', LOST),
      pass(6_000),
      moving,
      pays('9.00', REFUSED),
      shown('90.00', '60.00'),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in a receiver whose own pending payment settles meanwhile',
    story: [
      payeePays,
      shownLater('100.00'),
      pays('2.50'),
      shown('97.50'),
      shownLater('97.50', '50.00'),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in balances between which several payments were made',
    story: [shown('100.00'), pays('2.50'), pays('2.50'), shown('95.00', '55.00')],
    finds: [],
  },
  {
    title: 'it finds nothing in balances without decimals, which may be in centavos',
    story: [shown('10000'), pays('2.50'), shown('9500', '55')],
    finds: [],
  },
])
