import { expect, test } from 'vitest'
import { fieldsOf } from '../src/contract/json.ts'
import { rules } from '../src/rules/index.ts'
import {
  balances,
  call,
  cancel,
  charge,
  chargeOf,
  charges,
  check,
  codeOf,
  create,
  deliver,
  example,
  expectFindingsWith,
  findings,
  inOrder,
  type Json,
  listUsers,
  lookUp,
  type Manner,
  PAYMENT,
  pass,
  payCode,
  payKey,
  readStory,
  readUser,
  type Step,
  signIn,
  webhook,
} from './story.ts'

const BY_CUSTOMER: Manner = { by: 'customer' }
const SETTLED: Json = { status: 'settled' }
/** A check that leaves the payer no choice. */
const fixed = check({ final_amount: '35.90', allow_value_change: false })
const refresh: Manner = { authorization: 'Bearer refresh-of-partner' }
const inOtherScheme: Manner = { authorization: 'Token token-of-partner' }
const REFUSED: Manner = { refused: 'invalid_token' }
const TEN_CHARGES = inOrder(...Array.from({ length: 10 }, () => charge))
const LATER = pass(60_000)

function users(manner: Manner): Step {
  return listUsers({}, manner)
}

/** A due-date charge of 100.00 with a deduction, and a discount until the end of the month. */
function dueWithParts(modality = '1'): Step[] {
  const date = '2026-11-30'
  const amount = {
    original: '100.00',
    deduction: { modality, amount: '10.00' },
    discount: { modality, fixedDateDiscount: [{ amount: '5.00', date }] },
  }
  return [create('dueDateQrCode', { amount })]
}

/** The check of such a charge, which shows these parts. */
function checkOfParts(shown: Json): Step {
  const shows = {
    ...example('dueDateCode'),
    original_amount: '100.00',
    deduction: '0',
    discount: '0',
    fine: '0',
    interest: '0',
    ...shown,
  }
  return check(shows, { emv: codeOf(1, 'dueDateQrCode') })
}

function parts(shown: Json, modality = '1'): Step[] {
  return [...dueWithParts(modality), checkOfParts(shown)]
}

/** The customer of the examples, and another one who has another account. */
function customers(account_id: string): Step {
  const user = example('userWithCustomers')
  const [first, ...others] = user.customers as Json[]
  const other = { ...first, id: '00000000-0000-4000-8000-0000000000aa', account_id }
  return readUser({ customers: [first, ...others, other] })
}

const OTHER_ACCOUNT = '00000000-0000-4000-8000-0000000000bb'

function paidFrom(account_id: string): Step {
  const { data } = example('immediatePending')
  return payCode({ data: { ...fieldsOf(data), account_id } })
}

/** A payment by a look-up of its own, which settles. */
function payOwn(initiation_id: string, amount: string, manner: Manner = {}): Step {
  const ids = { id: `10c8831e-5542-4eec-9938-${initiation_id}`, end_to_end_id: '' }
  return inOrder(
    lookUp({ initiation_id }),
    payKey({ initiation_id, amount }, { ...ids, amount }, { shows: { id: ids.id }, ...manner }),
  )
}

/** A payment of 1.00, and one of more than any account holds, which is refused. */
const paidAndRefused = [
  payOwn('00000000000a', '1.00'),
  payOwn('00000000000b', '999999999.99', { refused: 'insufficient_funds' }),
]
const payAgain = (manner: Manner = {}) => [payOwn('00000000000c', '1.00', manner)]

const PARTNER_ACCOUNT = '00000000-0000-4000-8000-0000000000dd'
/** A customer pays from the account that its partner has paid from, and has one of its own. */
const pooled: readonly Step[] = [
  customers(OTHER_ACCOUNT),
  lookUp(),
  payKey({}, { account_id: PARTNER_ACCOUNT }),
  charge,
  paidFrom(PARTNER_ACCOUNT),
]

const KEY_OF_CODE: Json = { dict_key: example('createImmediate').dict_key }
const OF_SOMEBODY: Json = { ...KEY_OF_CODE, owner_document: '***.111.222-**', initiation_id: 'x' }

/** A transfer that has paid the owner of a document. */
function paidTo(tax_id: string): { readonly data: Json } {
  const data = fieldsOf(example('immediatePending').data)
  return { data: { ...data, beneficiary: { ...fieldsOf(data.beneficiary), tax_id } } }
}

function dueOn(due_date: string): Step {
  return check({ ...example('dueDateCode'), due_date }, { emv: codeOf(1, 'dueDateQrCode') })
}

function asPaid([one]: Json[]): Json[] {
  return [{ ...one, status: 'CONCLUIDA', payment: PAYMENT }]
}

function asCreated([one]: Json[]): Json[] {
  return [{ ...one, status: 'ATIVA' }]
}

const CANCELLED = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'

/** The oldest record alone. */
function asCancelled(newestFirst: Json[]): Json[] {
  return [{ ...newestFirst.at(-1), status: CANCELLED }]
}

/** The creation of the first record again, to which the service responds with the record as it is. */
const repeatedAsCancelled: Step = (story) => {
  const fields = story.records[0]?.fields
  chargeOf({ tx_id: fields?.tx_id }, { shows: { ...fields, status: CANCELLED } })(story)
}

/** The event of the transfer by `payKey`. */
function settledEvent(data: Json, type = 'transfer.settled'): Step {
  const shown = { ...fieldsOf(example('keySettled').data), ...data }
  return deliver({ name: 'transferSettledEvent', data: shown, edit: { type } })
}

/** The event of a transfer that nobody has made, with the text and the amount of `payKey`. */
const otherEvent = settledEvent({ id: '00000000-0000-4000-8000-000000000077' })

const MISSING: Manner = { refused: 'qrcode_not_found', status: 404 }
const NOT_FOUND: Manner = { refused: 'not_found', status: 404 }
/** The token of the customer. */
const OF_CUSTOMER: Manner = { authorization: 'Bearer token-of-customer', ...REFUSED }

/** A list that shows the partner the codes of its customers too. */
const listForPartner: Step = (story) => {
  const data = story.records.map(({ fields }) => fields)
  call('GET /pix/qrcode/dynamic/immediate', undefined, { data, next_cursor: null })(story)
}

const SECOND_USER = '00000000-0000-4000-8000-0000000000ee'
const [FIRST_CUSTOMER] = example('userWithCustomers').customers as Json[]
const SECOND_CUSTOMER: Json = { ...FIRST_CUSTOMER, id: '00000000-0000-4000-8000-0000000000ff' }
const OF_SECOND: Json = { user_id: SECOND_USER, customer_id: SECOND_CUSTOMER.id }
/** The look-up of another user, with its customer, and with that of the first user too. */
const SECOND = readUser({ customers: [SECOND_CUSTOMER] }, SECOND_USER)
const BOTH = readUser({ customers: [FIRST_CUSTOMER, SECOND_CUSTOMER] }, SECOND_USER)

/** The first user acts for its customer, or other ones do. */
function actAs(ids: Json, manner: Manner = {}): Step {
  const tokens = { ...example('customerTokens'), access_token: `token-${Object.values(ids)}` }
  const body = { ...example('actForCustomer'), ...ids }
  return call('POST /auth/partner/impersonate/', body, tokens, manner)
}

/** The rules that compare a service with itself. */
const CONSISTENT = { rules: rules.filter(({ id }) => id.endsWith('-consistent')) }

expectFindingsWith(CONSISTENT, [
  {
    title: 'it finds a code that is paid after its cancellation',
    story: [charge, cancel(), payCode(SETTLED)],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds it by the status that a list shows, whatever the statuses are',
    story: [
      charge,
      cancel(),
      payCode(),
      charges('', { shown: ([one]) => [{ ...one, status: 'CONCLUIDA' }] }),
    ],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds nothing in a transfer of a cancelled code that may still be rejected',
    story: [charge, cancel(), payCode()],
    finds: [],
  },
  {
    title: 'it finds nothing in a transfer of a cancelled code that is rejected later',
    story: [
      balances('100.00'),
      charge,
      cancel(),
      payCode(),
      balances('100.00', '100.00', { rejected: [String(example('immediatePending').id)] }),
    ],
    finds: [],
  },
  {
    title: 'it finds a transfer of a cancelled code that has settled by the balances',
    story: [balances('100.00'), charge, cancel(), payCode(), balances('64.10', '135.90')],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds nothing where the balances do not name the account of the transfer',
    story: [
      balances('100.00'),
      charge,
      cancel(),
      paidFrom('00000000-0000-4000-8000-0000000000cc'),
      balances('100.00'),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in the cancellation of a code that was paid before',
    story: [charge, payCode(SETTLED), cancel()],
    finds: [],
  },
  {
    title: 'it finds a code that is paid although its check is refused',
    story: [charge, check({}, { ...BY_CUSTOMER, refused: 'code_expired' }), payCode(SETTLED)],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it takes a check without a right for no refusal of the code',
    story: [
      charge,
      check({}, { ...BY_CUSTOMER, refused: 'forbidden', status: 403 }),
      payCode(SETTLED),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in a code whose check is refused to another identity',
    story: [charge, check({}, { refused: 'code_expired' }), payCode(SETTLED)],
    finds: [],
  },
  {
    title: 'it finds nothing in a code whose last check was accepted',
    story: [
      charge,
      check({}, { ...BY_CUSTOMER, refused: 'code_expired' }),
      check({}, BY_CUSTOMER),
      payCode(SETTLED),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in a transfer that the service only shows again',
    story: [
      charge,
      payCode(SETTLED),
      check({}, { ...BY_CUSTOMER, refused: 'code_paid' }),
      payCode(SETTLED),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in an amount that the code leaves to the payer, shown as zero',
    story: [
      charge,
      check({ final_amount: '0.00', allow_value_change: false }),
      payCode(SETTLED, { amount: '0.01' }),
    ],
    finds: [],
  },
  {
    title: 'it finds a code that is paid with another amount than its check shows',
    story: [charge, fixed, payCode(SETTLED, { amount: '0.01' })],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds nothing in another amount, where the check lets the payer choose it',
    story: [
      charge,
      check({ final_amount: '35.90', allow_value_change: true }),
      payCode(SETTLED, { amount: '0.01' }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in another amount on another day',
    story: [
      charge,
      check({ final_amount: '35.90', allow_value_change: false, expiration: null }),
      pass(86_400_000),
      signIn('customer'),
      payCode(SETTLED, { amount: '36.00' }),
    ],
    finds: [],
  },
  {
    title: 'it finds a customer who pays from the account of another one',
    story: [customers(OTHER_ACCOUNT), charge, paidFrom(OTHER_ACCOUNT)],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds nothing in an account that no customer has',
    story: [customers(OTHER_ACCOUNT), charge, paidFrom('00000000-0000-4000-8000-0000000000cc')],
    finds: [],
  },
  {
    title: 'it finds a discount that is taken twice',
    story: parts({ discount: '5.00', final_amount: '90.00' }),
    finds: ['money-consistent@checkCode'],
  },
  {
    title: 'it finds nothing in twice the number that a discount in percent has',
    story: parts({ discount: '5.00', final_amount: '90.00' }, '2'),
    finds: [],
  },
  {
    title: 'it finds nothing in an original amount that is less the deduction already',
    story: parts({
      original_amount: '90.00',
      deduction: '10.00',
      discount: '5.00',
      final_amount: '85.00',
    }),
    finds: [],
  },
  {
    title: 'it finds a deduction that is shown and not taken off',
    story: parts({ deduction: '10.00', final_amount: '100.00' }),
    finds: ['money-consistent@checkCode'],
  },
  {
    title: 'it finds a discount that is shown before its end and not taken off',
    story: parts({ discount: '5.00', final_amount: '100.00' }),
    finds: ['money-consistent@checkCode'],
  },
  {
    title: 'it finds nothing in a discount that is shown after its end and not taken off',
    story: [
      ...dueWithParts(),
      pass(40 * 86_400_000),
      checkOfParts({ discount: '5.00', final_amount: '100.00' }),
    ],
    finds: [],
  },
  {
    title: 'it finds a final amount that no choice of the parts adds up to',
    story: parts({ original_amount: '95.00', discount: '5.00', final_amount: '100.00' }),
    finds: ['money-consistent@checkCode'],
  },
  {
    title: 'it finds nothing in a deduction that is shown as a rate',
    story: parts({ deduction: '20.00', original_amount: '50.00', final_amount: '40.00' }),
    finds: [],
  },
  {
    title: 'it finds nothing where the parts leave nothing to pay',
    story: parts({ deduction: '100.00', final_amount: '0.01' }),
    finds: [],
  },
  {
    title: 'it finds a code that costs something else than its creation shows',
    story: [charge, check({ original_amount: '0.00', final_amount: '0.00' })],
    finds: ['money-consistent@checkCode'],
  },
  {
    title: 'it finds another due date than the creation shows',
    story: [create('dueDateQrCode'), dueOn('2026-11-19')],
    finds: ['money-consistent@checkCode'],
  },
  {
    title: 'it finds nothing in a due date that is written in another way',
    story: [create('dueDateQrCode'), dueOn('2026-11-19T23:59:59-03:00')],
    finds: [],
  },
  {
    title: 'it finds a code whose receiver does not own its key',
    story: [charge, lookUp(OF_SOMEBODY, { sent: KEY_OF_CODE }), check()],
    finds: ['money-consistent@checkCode'],
  },
  {
    title: 'it finds a code that pays another receiver than its check shows',
    story: [charge, check({}, BY_CUSTOMER), payCode(paidTo('11144477735'))],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds a key that pays another receiver than its look-up shows',
    story: [lookUp(), payKey({}, { beneficiary: paidTo('52998224725').data.beneficiary })],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds nothing in a service that pools the money of a partner in one account',
    story: pooled,
    finds: [],
  },
  {
    title: 'it finds a code that is cancelled after it was paid',
    story: [charge, payCode(SETTLED), charges('', { shown: asPaid }), cancel()],
    finds: ['money-consistent@cancelImmediateQrCode'],
  },
  {
    title: 'it finds nothing in the cancellation of a paid code that has no effect',
    story: [
      charge,
      payCode(SETTLED),
      charges('', { shown: asPaid }),
      cancel({ status: 'CONCLUIDA', payment: PAYMENT }),
    ],
    finds: [],
  },
  {
    title: 'it finds a cancelled code that is shown as it was created',
    story: [charge, cancel(), LATER, charges('', { shown: asCreated })],
    finds: ['money-consistent@listImmediateQrCodes'],
  },
  {
    title: 'it finds nothing in a cancelled code whose creation was repeated',
    story: [charge, cancel(), repeatedAsCancelled, LATER, charges('', { shown: asCancelled })],
    finds: [],
  },
  {
    title: 'it finds a payment that was refused',
    story: [charge, payCode({}, { refused: 'insufficient_funds' }), charges('', { shown: asPaid })],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds a refusal after which the account holds nothing',
    story: [...paidAndRefused, ...payAgain({ refused: 'insufficient_funds' })],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds nothing wrong with a payment that is refused in another way than before',
    story: [...paidAndRefused, ...payAgain({ refused: 'payment_date_not_allowed' })],
    finds: [],
  },
  {
    title: 'it finds nothing wrong with a refusal after which the account can pay as before',
    story: [...paidAndRefused, ...payAgain()],
    finds: [],
  },
  {
    title: 'it finds an event with another amount than the transfer',
    story: [webhook, lookUp(), payKey(), settledEvent({ amount: '4590.00' })],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds an event with another payment than the transfer',
    story: [
      webhook,
      lookUp(),
      payKey(),
      settledEvent({ end_to_end_id: 'E12345678202611021430abcdefghij9' }),
    ],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds an event with another time than the response to the transfer',
    story: [webhook, lookUp(), payKey(), settledEvent({ settled_at: '2026-11-02T14:00:00.000Z' })],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds a transfer that has both ends',
    story: [
      webhook,
      lookUp(),
      payKey(),
      settledEvent({}),
      settledEvent({ status: 'rejected' }, 'transfer.rejected'),
    ],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds the event of a transfer that was refused',
    story: [webhook, lookUp(), payKey({}, {}, { refused: 'insufficient_funds' }), otherEvent],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds nothing in an event that names another id than its transfer',
    story: [webhook, lookUp(), payKey(), otherEvent],
    finds: [],
  },
  {
    title: 'it finds nothing in the event of a transfer',
    story: [webhook, lookUp(), payKey(), settledEvent({})],
    finds: [],
  },
  {
    title: 'it finds nothing where an operation refuses every token',
    story: [users(REFUSED), users({ ...refresh, ...REFUSED }), charges('', refresh)],
    finds: [],
  },
  {
    title: 'it finds nothing where 401 says that the operation is for customers',
    story: [
      charges('', { by: 'customer' }),
      charges('', { ...inOtherScheme, ...REFUSED }),
      users(inOtherScheme),
    ],
    finds: [],
  },
  {
    title: 'it finds a refresh token that only one operation refuses',
    story: [
      users({}),
      users({ ...refresh, ...REFUSED }),
      charges('', refresh),
      users({ ...refresh, ...REFUSED }),
    ],
    finds: ['access-consistent@listImmediateQrCodes'],
  },
  {
    title: 'it finds it where the refusal comes later',
    story: [users({}), charges('', refresh), users({ ...refresh, ...REFUSED })],
    finds: ['access-consistent@listImmediateQrCodes'],
  },
  {
    title: 'it finds nothing in a refresh token that is accepted everywhere',
    story: [users(refresh), charges('', refresh)],
    finds: [],
  },
  {
    title: 'it finds nothing in a refresh token that has ended since it was accepted',
    story: [charges('', refresh), pass(2 * 3_600_000), users({ ...refresh, ...REFUSED })],
    finds: [],
  },
  {
    title: 'it finds nothing in a refresh token that a new sign-in has ended',
    story: [
      users({}),
      charges('', refresh),
      pass(1_000),
      signIn('partner'),
      users({ ...refresh, ...REFUSED }),
    ],
    finds: [],
  },
  {
    title: 'it finds another scheme that only one operation accepts',
    story: [users({}), users({ ...inOtherScheme, ...REFUSED }), charges('', inOtherScheme)],
    finds: ['access-consistent@listImmediateQrCodes'],
  },
  {
    title: 'it finds a record of a customer that a list shows and the next request does not find',
    story: [chargeOf({}, BY_CUSTOMER), listForPartner, cancel({}, MISSING)],
    finds: ['access-consistent@cancelImmediateQrCode'],
  },
  {
    title: 'it finds it where the list comes later',
    story: [chargeOf({}, BY_CUSTOMER), cancel({}, MISSING), listForPartner],
    finds: ['access-consistent@listImmediateQrCodes'],
  },
  {
    title: 'it finds nothing in a record that may be seen, and not cancelled',
    story: [
      chargeOf({}, BY_CUSTOMER),
      listForPartner,
      cancel({}, { refused: 'forbidden', status: 403 }),
    ],
    finds: [],
  },
  {
    title: 'it finds a token that ends within its shortest lifetime',
    story: [users({}), pass(1_500), users(REFUSED)],
    finds: ['access-consistent@listUsers'],
  },
  {
    title: 'it finds nothing in a token that may have ended, if its lifetime is in milliseconds',
    story: [users({}), pass(10_000), users(REFUSED)],
    finds: [],
  },
  {
    title: 'it finds nothing in a token that a new sign-in has ended',
    story: [charges('', BY_CUSTOMER), pass(1_000), signIn('partner'), charges('', OF_CUSTOMER)],
    finds: [],
  },
  {
    title: 'it finds a user who acts for the customer of another user',
    story: [readUser(), SECOND, actAs({}), actAs({ user_id: SECOND_USER })],
    finds: ['access-consistent@impersonate'],
  },
  {
    title: 'it finds nothing in a user who acts for its own customer, and for no other',
    story: [readUser(), SECOND, actAs({}), actAs({ user_id: SECOND_USER }, NOT_FOUND)],
    finds: [],
  },
  {
    title: 'it finds a user who may not act for a customer that its look-up shows',
    story: [
      readUser(),
      BOTH,
      actAs({}),
      actAs(OF_SECOND),
      actAs({ user_id: SECOND_USER }, NOT_FOUND),
    ],
    finds: ['access-consistent@impersonate'],
  },
  {
    title: 'it finds nothing in a user who may act for nobody',
    story: [readUser(), BOTH, actAs({}), actAs({ user_id: SECOND_USER }, NOT_FOUND)],
    finds: [],
  },
  {
    title: 'it finds a code that is paid after the end that its check had shown',
    story: [charge, check({ expiration: '2026-11-02T14:40:00Z' }), pass(900_000), payCode(SETTLED)],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds nothing in an expiration that was over, or is written in local time',
    story: [charge, check({ expiration: '2026-11-02T11:40:00' }), pass(900_000), payCode(SETTLED)],
    finds: [],
  },
  {
    title: 'it finds an initiation_id that is issued again after its use, and refused',
    story: [lookUp(), payKey(), lookUp(), payKey({}, {}, { refused: 'initiation_used' })],
    finds: ['money-consistent@createTransfer'],
  },
  {
    title: 'it finds nothing in the refusal of an initiation_id that was used',
    story: [lookUp(), payKey(), payKey({}, {}, { refused: 'initiation_used' })],
    finds: [],
  },
  {
    title: 'it finds a record that is lost between two pages',
    story: [
      TEN_CHARGES,
      LATER,
      charges('?limit=10'),
      charges('?limit=4', { shown: (all) => all.slice(0, 4), next: 'two' }),
      charges('?limit=4&cursor=two', { shown: (all) => all.slice(5, 9), next: 'three' }),
      charges('?limit=4&cursor=three', { shown: (all) => all.slice(9) }),
    ],
    finds: ['lists-consistent@listImmediateQrCodes'],
  },
  {
    title: 'it finds nothing in a list that shows an expired charge no more',
    story: [
      TEN_CHARGES,
      charges('?limit=10'),
      pass(90_000_000),
      signIn('partner'),
      charges('?limit=20', { shown: () => [] }),
    ],
    finds: [],
  },
  {
    title: 'it finds nothing in a list to which a charge was added during the walk',
    story: [
      TEN_CHARGES,
      LATER,
      charges('?limit=10'),
      charges('?limit=5', { shown: (all) => all.slice(0, 5), next: 'two' }),
      charge,
      charges('?limit=5&cursor=two', { shown: (all) => all.slice(7) }),
    ],
    finds: [],
  },
])

test('it finds nothing in a list that may lag behind the cancellation', () => {
  const story = [charge, cancel(), charges('', { shown: asCreated })]
  expect(findings(story, { lagMs: 5_000 })).not.toContain('money-consistent@listImmediateQrCodes')
})

test('it reports what contradicts the service itself as critical, with its own exchange', () => {
  const { findings } = readStory([charge, cancel(), payCode(SETTLED)])
  const [finding] = findings.filter(({ rule }) => rule === 'money-consistent')
  expect(finding).toMatchObject({
    kind: 'deviation',
    severity: 'critical',
    cites: {
      own: {
        operation: 'cancelImmediateQrCode',
        requestId: 'req_4',
        says: 'cancelImmediateQrCode has cancelled the code',
      },
    },
  })
})

test('it reports a pooled account as a deviation of its open questions', () => {
  const found = readStory(pooled).findings.filter(({ message }) => message.includes('account'))
  const judged = found.map(({ rule, severity, cites }) => [
    rule,
    severity,
    fieldsOf(cites).question,
  ])
  expect(judged).toEqual([
    ['money-accounts', 'warning', 'token-permissions'],
    ['money-accounts', 'warning', 'customer-fields'],
  ])
})

test('it waits for no later look at what it has found already', () => {
  const other = { qrcode_type: 'Static' }
  const story = [charge, LATER, check(other), charge, check(other, { emv: codeOf(2) })]
  const { findings } = readStory(story, { lagMs: 5_000 })
  const found = findings.find(({ message }) => message.includes('qrcode_type'))
  expect(found?.count).toBe(2)
})
