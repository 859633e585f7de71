import { expect, test } from 'vitest'
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
  readStory,
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
  id: example('actForCustomer').customer_id,
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

const OPTIONS = { ...CONSISTENT, lagMs: 5_000 }

/** An account of 10.00 pays 20.00, and owes 10.00 then. */
const overdrawn = inOrder(
  shownLater('10.00'),
  pays('20.00'),
  shown('-10.00', '70.00'),
  shownLater('-10.00', '70.00'),
)

/** What is said of an account that pays more than it holds. */
function readOverdraft(...story: Step[]) {
  const { findings } = readStory([...story, overdrawn], OPTIONS)
  return findings.map(({ severity, cites, message }) => ({
    severity,
    basis: Object.keys(cites)[0],
    message,
  }))
}

const OVERDRAFT_WARNING = [
  {
    severity: 'warning',
    basis: 'question',
    message: 'createTransfer paid 20.00 from a balance of 10.00, which is -10.00 now.',
  },
]

test('it warns of a payment of more than the balance, which may be an overdraft', () => {
  expect(readOverdraft()).toEqual(OVERDRAFT_WARNING)
})

test('it is critical if the service has refused a smaller one for lack of funds', () => {
  const refused = inOrder(shown('10.00'), pays('15.00', REFUSED), shown('10.00'))
  expect(readOverdraft(refused)).toEqual([
    {
      severity: 'critical',
      basis: 'own',
      message:
        'createTransfer paid 20.00 from a balance of 10.00, although it had refused 15.00 from 10.00 for lack of funds.',
    },
  ])
})

test.each([
  {
    title: 'a larger payment was refused, which exceeds the limit of the overdraft',
    story: [shown('10.00'), pays('100.00', REFUSED)],
  },
  {
    title: 'a larger payment was refused from an account that held more',
    story: [shown('95.00'), pays('100.00', REFUSED), pass(6_000)],
  },
  {
    title: 'a smaller payment was refused from an account that would have owed more',
    story: [shown('2.00'), pays('15.00', REFUSED), pass(6_000)],
  },
  {
    title: 'a smaller payment was refused for another reason',
    story: [shown('10.00'), pays('15.00', { refused: 'amount_not_allowed' })],
  },
  {
    title: 'the balance was not shown before the refusal',
    story: [pays('15.00', REFUSED)],
  },
  {
    title: 'the balance was shown long before the refusal',
    story: [shown('10.00'), pass(1_200_000), pays('15.00', REFUSED)],
  },
  {
    title: 'another payment was accepted between the balance and the refusal',
    story: [shown('14.00', '35.00'), pays('13.00'), pays('15.00', REFUSED)],
  },
  {
    title: 'a pending payment may have set money aside at the refusal',
    story: [pays('9.00', PENDING), shownLater('10.00'), pays('15.00', REFUSED)],
  },
  {
    title: 'the customer has two accounts, and nobody knows from which one it was refused',
    story: [
      readUser({
        customers: [
          { ...PAYER, balance: '10.00' },
          { ...PAYEE, id: PAYER.id, balance: '50.00' },
        ],
      }),
      pays('15.00', REFUSED),
    ],
  },
  {
    title: 'somebody else was refused',
    story: [shown('10.00'), pays('15.00', { ...REFUSED, by: 'partner' })],
  },
  {
    title: 'the refused payment was of an amount that the account held',
    story: [shown('20.00'), pays('15.00', REFUSED)],
  },
])('it only warns of an overdraft if $title', ({ story }) => {
  expect(readOverdraft(...story)).toEqual(OVERDRAFT_WARNING)
})

expectFindingsWith(OPTIONS, [
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
    title: 'it finds nothing in a payment that takes a fee from its payer, and shows it',
    story: [shown('100.00'), pays('2.50', { shows: { fee: '0.10' } }), shown('97.40', '52.50')],
    finds: [],
  },
  {
    title: 'it finds nothing in a payment that shows its amount with the fee',
    story: [shown('100.00'), pays('2.50', { shows: { total: '2.60' } }), shown('97.40', '52.50')],
    finds: [],
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
    title: 'it finds nothing in balances of yesterday, which show a payment of that day',
    story: [
      shown('100.00'),
      pays('1.00'),
      pass(86_400_000),
      shown('99.00', '51.00'),
      pays('2.50'),
      shown('99.00', '51.00'),
      shownLater('99.00', '51.00'),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in balances of yesterday, which show two payments of that day',
    story: [
      pays('2.50'),
      shownLater('100.00'),
      pays('2.50'),
      pass(86_400_000),
      shown('95.00', '55.00'),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in balances of yesterday, which show a payment before a refused one',
    story: [
      pays('9.00'),
      shownLater('100.00'),
      pays('9.00', REFUSED),
      pass(86_400_000),
      shown('91.00', '59.00'),
    ],
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
  {
    title: 'it finds nothing in a payment of more than the balance that is refused',
    story: [shown('10.00'), pays('20.00', REFUSED), shown('10.00'), shownLater('10.00')],
    finds: [],
  },
  {
    title: 'it finds nothing in a payment of more than the balance, which a deposit has raised',
    story: [shown('10.00'), pays('20.00'), shown('5.00', '70.00')],
    finds: [],
  },
  {
    title: 'it finds nothing in a payment of more than the balance of yesterday',
    story: [shown('10.00'), pays('20.00'), shown('10.00')],
    finds: [],
  },
  {
    title: 'it finds nothing in a pending payment of more than the balance, which may be rejected',
    story: [shown('10.00'), pays('20.00', PENDING), shown('-10.00')],
    finds: [],
  },
  {
    title: 'it finds nothing in a balance that an earlier payment has made negative',
    story: [pays('25.00', PENDING), shownLater('10.00'), pays('5.00'), shown('-20.00', '55.00')],
    finds: [],
  },
  {
    title: 'it finds nothing in a balance from which an earlier payment may have taken the amount',
    story: [pays('20.00', PENDING), shownLater('10.00'), pays('20.00'), shown('-10.00', '70.00')],
    finds: [],
  },
  {
    title:
      'it finds nothing in an account that owes what a payment takes, and shows it as positive',
    story: [shown('10.00'), pays('20.00'), shown('30.00', '70.00')],
    finds: [],
  },
])

test('it distinguishes a payment that is taken twice from one with a fee, for baselines', () => {
  const idsAfter = (payer: string) =>
    readStory([shown('100.00'), pays('2.50'), shown(payer, '52.50')], OPTIONS).findings.map(
      ({ id }) => id,
    )
  const withFee = idsAfter('97.40')
  expect(withFee).toHaveLength(1)
  // Twice, twice with its fee, and three times.
  for (const payer of ['95.00', '94.80', '92.50']) {
    const twice = idsAfter(payer)
    expect(twice).toHaveLength(1)
    expect(twice).not.toEqual(withFee)
  }
})

test.each([{ fee: '2.50' }, { tarifas: [{ valor: -2.5 }] }, { total_amount: '5.00' }])(
  'it finds nothing in a payment whose fee is as large as its amount, and shown: %j',
  (shows) => {
    const story = [shown('100.00'), pays('2.50', { shows }), shown('95.00', '52.50')]
    expect(readStory(story, OPTIONS).findings).toEqual([])
  },
)

test.each([{ value: '2.50' }, { fee: '0.10' }, { limit: '5.00' }, { total: '2.50' }])(
  'it finds a payment that is taken twice, whatever else its response shows: %j',
  (shows) => {
    const story = [shown('100.00'), pays('2.50', { shows }), shown('95.00', '52.50')]
    expect(readStory(story, OPTIONS).findings.map(({ severity }) => severity)).toEqual(['critical'])
  },
)

test('it finds a payment that is taken twice where its response shows the total of one', () => {
  const shows = { fee: '0.10', total: '2.60' }
  const story = [shown('100.00'), pays('2.50', { shows }), shown('94.90', '52.50')]
  expect(readStory(story, OPTIONS).findings.map(({ severity }) => severity)).toEqual(['critical'])
})

test('it is critical if a payment takes more from its payer than any response shows', () => {
  const { findings } = readStory([shown('100.00'), pays('2.50'), shown('97.40', '52.50')], OPTIONS)
  expect(findings.map(({ severity, message }) => ({ severity, message }))).toEqual([
    {
      severity: 'critical',
      message: 'After a payment of 2.50, the balance of its payer has fallen by 2.60.',
    },
  ])
})

test('it only warns of more than the amount if an earlier payment may have settled with a fee', () => {
  const certain = readStory([shown('100.00'), pays('2.50'), shown('97.40', '52.50')], OPTIONS)
  const withFee = { shows: { fee: '0.10' } }
  const { findings } = readStory(
    [
      pays('5.00', { shows: { ...withFee.shows, ...PENDING.shows } }),
      shownLater('100.00'),
      pays('2.50', withFee),
      shown('92.30', '57.50'),
    ],
    OPTIONS,
  )
  expect(findings.map(({ severity }) => severity)).toEqual(['warning'])
  // A baseline that accepts the warning does not accept the critical finding.
  expect(findings.map(({ id }) => id)).not.toEqual(certain.findings.map(({ id }) => id))
})
