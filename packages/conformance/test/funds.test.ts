import { expect, test } from 'vitest'
import { stringAt } from '../src/contract/json.ts'
import type { ShownBalances } from '../src/history.ts'
import { centavosOf, reaisOf } from '../src/model/amounts.ts'
import { funds } from '../src/plans/funds.ts'
import type { Plan, PlanContext } from '../src/plans/plan.ts'
import type { Input } from '../src/send/requests.ts'
import { requestsOf } from './plan-context.ts'
import type { Call } from './services/call.ts'
import { checkService } from './services/check.ts'
import { codeOf } from './services/responses.ts'
import { callerOf } from './services/state.ts'
import type { Service } from './services/wrap.ts'

/** What a service does with payments. */
interface BankOptions {
  /** What each account holds, in centavos. Default: 10,000.00. */
  readonly held?: bigint
  /** The largest amount of a payment, in centavos. Default: 1,000,000.00. */
  readonly limit?: bigint
  /** Whether the balance is not compared with an amount. Default: it always is. */
  readonly isUnchecked?: (centavos: bigint) => boolean
  /** The status of the response to a payment of more than the account holds, if nobody knows whether it was made. */
  readonly lostAs?: number
  /** Whether customers pay from the account of the partner. Default: false. */
  readonly isShared?: boolean
  /** A balance beside the customers. Default: none. */
  readonly shown?: string
}

const CUSTOMER = {
  id: 'customer',
  tax_id: '12345678909',
  account_id: 'account',
  account_number: '1',
  ispb: '12345678',
}

/** The payments of a run, as `customer 0.01`, with a star if they were refused. */
async function listPayments(options: BankOptions = {}, more: Partial<PlanContext> = {}) {
  const { held = 1_000_000n, limit = 100_000_000n, isUnchecked = () => false } = options
  const payments: string[] = []

  function pay({ by, body }: Input) {
    const centavos = centavosOf(stringAt(body, '/amount')) ?? 0n
    const isTooLarge = centavos > limit
    const isUncovered = centavos > held && !isUnchecked(centavos)
    const isRefused = isTooLarge || isUncovered
    payments.push(`${by} ${reaisOf(centavos)}${isRefused ? '*' : ''}`)
    if (isUncovered && !isTooLarge && options.lostAs !== undefined)
      return { status: options.lostAs, isAccepted: false, json: undefined }
    if (isTooLarge) return { status: 422, isAccepted: false, json: { code: 'amount_not_allowed' } }
    if (isUncovered) return { status: 402, isAccepted: false, json: { code: 'no_funds' } }
    return { json: { id: 'tr', data: { account_id: options.isShared ? 'shared' : by } } }
  }

  async function send(id: string, input: Input = {}) {
    const json = {
      initiation_id: 'initiation',
      dict_key: 'beltrana@example.com',
      emv: 'code',
      users: [{ id: 'user' }],
      customers: [{ ...CUSTOMER, balance: options.shown }],
    }
    const response = id === 'createTransfer' ? pay(input) : { json }
    return { sentAt: 1, status: 200, isAccepted: true, ...response }
  }
  await requestsOf(funds, {
    send: Object.assign(send, { cleanUp: async () => [] }) as unknown as PlanContext['send'],
    mayPayWrongly: true,
    lookAtBalances: async () => undefined,
    receiver: undefined,
    ...more,
  })
  return payments
}

const SMALLEST = ['customer 0.01', 'partner 0.01']

const OF_CUSTOMER = [
  'customer 999999999.00*',
  'customer 99999999.00*',
  'customer 9999999.00*',
  'customer 999999.00*',
  'customer 999999.00*',
]

const OF_PARTNER = [
  'partner 999999998.99*',
  'partner 99999998.99*',
  'partner 9999998.99*',
  'partner 999998.99*',
  'partner 999998.99*',
]

test('it pays less until the refusal is another one, and then more in other forms', async () => {
  expect(await listPayments()).toEqual([
    ...SMALLEST,
    ...OF_CUSTOMER,
    'customer 999999.01*',
    'customer 999999.10*',
    'customer 999999.51*',
    'customer 1000000.00*',
    'customer 99999.00*',
    'customer 99999.00*',
    'customer 99999.01*',
    'customer 99999.10*',
    'customer 99999.51*',
    'customer 100000.00*',
    ...OF_PARTNER,
    'partner 999999.00*',
    'partner 999999.09*',
    'partner 999999.50*',
    'partner 999999.99*',
  ])
})

test('it pays one amount from each account, if those with centavos are accepted', async () => {
  const isUnchecked = (centavos: bigint) => centavos % 100n !== 0n
  expect(await listPayments({ isUnchecked })).toEqual([
    ...SMALLEST,
    ...OF_CUSTOMER,
    'customer 999999.01',
    ...OF_PARTNER.slice(0, 3),
    'partner 999998.99',
  ])
})

test('it pays as the partner in the other form if the customer can pay whole reais', async () => {
  const isUnchecked = (centavos: bigint) => centavos % 100n === 0n
  expect(await listPayments({ isUnchecked })).toEqual([
    ...SMALLEST,
    ...OF_CUSTOMER.slice(0, 3),
    'customer 999999.00',
    ...OF_PARTNER,
    'partner 999999.00',
  ])
})

test('it pays more than the smallest amount of all if all are refused alike', async () => {
  const payments = await listPayments({ limit: 1_000_000_000_000n })
  expect(payments.slice(2, 5)).toEqual([
    'customer 999999999.00*',
    'customer 99999999.00*',
    'customer 9999999.00*',
  ])
  expect(payments).toContain('customer 99999.01*')
  expect(payments).toContain('partner 999999.00*')
})

test('it pays with both tokens from the account of a partner, and never a hundred thousand', async () => {
  const payments = await listPayments({ limit: 1_000_000_000_000n, isShared: true })
  expect(payments).not.toContain('customer 99999.00*')
  expect(payments).toContain('partner 999999.02*')
})

test('it pays nothing more from an account that two tokens share, once it has paid', async () => {
  const isUnchecked = (centavos: bigint) => centavos % 100n === 0n
  const payments = await listPayments({ isUnchecked, isShared: true })
  expect(payments).toEqual([...SMALLEST, ...OF_CUSTOMER.slice(0, 3), 'customer 999999.00'])
})

test.each([0, 429])(
  'it pays nothing smaller from an account after a payment that may have been made (%i)',
  async (lostAs) => {
    const payments = await listPayments({ lostAs })
    expect(payments).toEqual([...SMALLEST, ...OF_CUSTOMER.slice(0, 4), ...OF_PARTNER.slice(0, 4)])
  },
)

const BALANCES: ShownBalances = {
  type: 'balances',
  sentAt: 1,
  completeAt: 1,
  accounts: {},
  rejected: [],
  isPending: false,
}

interface Row {
  readonly title: string
  readonly options?: BankOptions
  readonly more?: Partial<PlanContext>
}

test.each<Row>([
  { title: 'a live service', more: { mayPayWrongly: false } },
  { title: 'a service that shows balances beside customers', options: { shown: '10.00' } },
  {
    title: 'a sandbox that shows balances',
    more: { lookAtBalances: async () => BALANCES },
  },
])('it pays nothing on $title', async ({ options, more }) => {
  expect(await listPayments(options, more)).toEqual([])
})

/** Makes some of the payments that an account does not hold. */
function forgetsBalance(isForgotten: (call: Call, centavos: bigint) => boolean): Service {
  return {
    operations: 'createTransfer',
    async wrap(call, next, sandbox) {
      const response = await next(call)
      const isRefused = (await codeOf(response)) === 'insufficient_funds'
      const centavos = centavosOf(stringAt(call.json, '/amount')) ?? 0n
      if (!isRefused || !isForgotten(call, centavos)) return response

      const caller = await callerOf(call, sandbox)
      const sql = 'UPDATE accounts SET balance = balance + ? WHERE id = ?'
      await sandbox.run(sql, centavos, caller?.account_id)
      return next(call)
    },
  }
}

/** The plan on a service that shows no balances. */
const withoutBalances: Plan = {
  ...funds,
  run: (context) => funds.run({ ...context, lookAtBalances: async () => undefined }),
}

/** What each finding about the service itself says, with its severity. */
async function listContradictions(service: Service) {
  const { findings } = await checkService(service, { plans: [withoutBalances] })
  const ofService = findings.filter(({ rule }) => rule === 'money-consistent')
  return ofService.map(({ severity, message }) => `${severity}: ${message}`)
}

test.each([
  {
    title: 'if an amount has centavos',
    service: forgetsBalance((_, centavos) => centavos % 100n !== 0n),
    refused: '99999.00',
    accepted: '99999.01',
  },
  {
    title: 'if an amount has none',
    service: forgetsBalance((_, centavos) => centavos % 100n === 0n),
    refused: '999998.99',
    accepted: '999999.00',
  },
  {
    title: 'for codes',
    service: forgetsBalance(({ json }) => stringAt(json, '/type') === 'emv'),
    refused: '99999.00',
    accepted: '99999.01',
  },
])('it finds a service that forgets the balance $title', async ({ service, refused, accepted }) => {
  expect(await listContradictions(service)).toEqual([
    `critical: createTransfer refused ${refused} (422 insufficient_funds) more than once, and then accepted ${accepted} from the same account.`,
  ])
})

test('it finds nothing in a service that compares each amount with the balance', async () => {
  const { findings } = await checkService({}, { plans: [withoutBalances] })
  expect(findings).toEqual([])
})
