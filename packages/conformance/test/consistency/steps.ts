import { fieldsOf } from '../../src/contract/json.ts'
import { rules } from '../../src/rules/index.ts'
import {
  call,
  charge,
  check,
  codeOf,
  create,
  deliver,
  example,
  inOrder,
  type Json,
  listUsers,
  lookUp,
  type Manner,
  PAYMENT,
  pass,
  payCode,
  payKey,
  readUser,
  type Step,
  txId,
} from '../story.ts'

export const BY_CUSTOMER: Manner = { by: 'customer' }

export const SETTLED: Json = { status: 'settled' }

export const refresh: Manner = { authorization: 'Bearer refresh-of-partner' }

export const REFUSED: Manner = { refused: 'invalid_token' }

export const TEN_CHARGES = inOrder(...Array.from({ length: 10 }, () => charge))

export const LATER = pass(60_000)

/** Creates a due-date code with the id of the last record: a service may count the codes of each kind from 1. */
export function createWithSameId(manner: Manner = {}): Step {
  return (story) => {
    const id = story.records.at(-1)?.fields.id
    create('dueDateQrCode', {}, { ...manner, shows: { id } })(story)
    Object.assign(story.records.at(-1)?.fields ?? {}, { id })
  }
}

export function users(manner: Manner): Step {
  return listUsers({}, manner)
}

/**
 * A due-date charge of 100.00 with a deduction, and a discount until the end of the month.
 *
 * @param others Further parts of its amount, such as a fine.
 */
export function dueWithParts(modality = '1', others: Json = {}): Step[] {
  const date = '2026-11-30'
  const amount = {
    original: '100.00',
    deduction: { modality, amount: '10.00' },
    discount: { modality, fixedDateDiscount: [{ amount: '5.00', date }] },
    ...others,
  }
  return [create('dueDateQrCode', { amount })]
}

/** The check of such a charge, which shows these parts. */
export function checkOfParts(shown: Json): Step {
  const shows = {
    ...example('dueDateCode'),
    tx_id: txId('dueDateQrCode', 1),
    original_amount: '100.00',
    deduction: '0',
    discount: '0',
    fine: '0',
    interest: '0',
    ...shown,
  }
  return check(shows, { emv: codeOf(1, 'dueDateQrCode') })
}

export function parts(shown: Json, modality = '1'): Step[] {
  return [...dueWithParts(modality), checkOfParts(shown)]
}

/** The customer of the examples, and another one who has another account. */
export function customers(account_id: string): Step {
  const user = example('userWithCustomers')
  const [first, ...others] = user.customers as Json[]
  const other = { ...first, id: '00000000-0000-4000-8000-0000000000aa', account_id }
  return readUser({ customers: [first, ...others, other] })
}

export const OTHER_ACCOUNT = '00000000-0000-4000-8000-0000000000bb'

export function paidFrom(account_id: string): Step {
  const { data } = example('immediatePending')
  return payCode({ data: { ...fieldsOf(data), account_id } })
}

export const PARTNER_ACCOUNT = '00000000-0000-4000-8000-0000000000dd'

/** A customer pays from the account that its partner has paid from, and has one of its own. */
export const pooled: readonly Step[] = [
  customers(OTHER_ACCOUNT),
  lookUp(),
  payKey({}, { account_id: PARTNER_ACCOUNT }),
  charge,
  paidFrom(PARTNER_ACCOUNT),
]

/** A transfer that has paid the owner of a document. */
export function paidTo(tax_id: string): { readonly data: Json } {
  const data = fieldsOf(example('immediatePending').data)
  return { data: { ...data, beneficiary: { ...fieldsOf(data.beneficiary), tax_id } } }
}

/** What a payment sends and shows beside its amount and its ids. */
interface PaymentParts {
  readonly sent?: Json
  readonly data?: Json
}

/** A payment of a key by a look-up of its own, which settles. Of `ini_1`, its id is `transfer-ini_1`. */
export function payAfterLookUp(
  initiation_id: string,
  amount: string,
  manner: Manner = {},
  { sent = {}, data = {} }: PaymentParts = {},
): Step {
  const id = `transfer-${initiation_id}`
  return inOrder(
    lookUp({ initiation_id }, manner.by === undefined ? {} : { by: manner.by }),
    payKey(
      { initiation_id, amount, ...sent },
      { id, end_to_end_id: '', amount, ...data },
      { ...manner, shows: { id, ...manner.shows } },
    ),
  )
}

export function asPaid([one]: Json[]): Json[] {
  return [{ ...one, status: 'CONCLUIDA', payment: PAYMENT }]
}

export function asCreated([one]: Json[]): Json[] {
  return [{ ...one, status: 'ATIVA' }]
}

/** The event of the transfer by `payKey`. */
export function settledEvent(data: Json, type = 'transfer.settled'): Step {
  const shown = { ...fieldsOf(example('keySettled').data), ...data }
  return deliver({ name: 'transferSettledEvent', data: shown, edit: { type } })
}

export const MISSING: Manner = { refused: 'qrcode_not_found', status: 404 }

/** A list that shows the partner the codes of its customers too. */
export const listForPartner: Step = (story) => {
  const data = story.records.map(({ fields }) => fields)
  call('GET /pix/qrcode/dynamic/immediate', undefined, { data, next_cursor: null })(story)
}

export const SECOND_USER = '00000000-0000-4000-8000-0000000000ee'

export const [FIRST_CUSTOMER] = example('userWithCustomers').customers as Json[]

export const SECOND_CUSTOMER: Json = {
  ...FIRST_CUSTOMER,
  id: '00000000-0000-4000-8000-0000000000ff',
}

/** The look-up of another user, with its customer, and with that of the first user too. */
export const SECOND = readUser({ customers: [SECOND_CUSTOMER] }, SECOND_USER)

/** The first user acts for its customer, or other ones do. */
export function actAs(ids: Json, manner: Manner = {}): Step {
  const tokens = { ...example('customerTokens'), access_token: `token-${Object.values(ids)}` }
  const body = { ...example('actForCustomer'), ...ids }
  return call('POST /auth/partner/impersonate/', body, tokens, manner)
}

/** The rules that compare a service with itself. */
export const CONSISTENT = { rules: rules.filter(({ id }) => id.endsWith('-consistent')) }
