import { expect, test } from 'vitest'
import { stringAt } from '../src/contract/json.ts'
import { centavosOf, reaisOf } from '../src/model/amounts.ts'
import { payBetweenLooks } from '../src/plans/pay-between-looks.ts'
import type { PlanContext } from '../src/plans/plan.ts'
import type { Input } from '../src/send/requests.ts'
import { requestsOf } from './plan-context.ts'

/** What a service does with a payment. */
interface BankOptions {
  /** What the first customer holds, in centavos. Default: 250.00. */
  readonly held?: bigint
  /** The largest amount of a payment, in centavos. Default: no limit. */
  readonly limit?: bigint
  /** Whether an account may owe money. Default: a payment of more than the balance is refused. */
  readonly hasOverdraft?: boolean
  /** The status of the response to such a payment after it was made: 429 of a gateway, 0 without one. Default: 201. */
  readonly lostAs?: number
  /** The code of that refusal. Default: insufficient_funds. */
  readonly code?: string
  /** Whether no tax ID is a key, so that the receiver cannot pay back. Default: all are. */
  readonly hasNoTaxIdKeys?: boolean
  /** Whether the balances are those of yesterday. Default: they are those of now. */
  readonly showsOldBalances?: boolean
}

/** Two customers of a partner, who hold 250.00 each by default. The first one pays the key of the second. */
function createBank(options: BankOptions = {}) {
  const balances = new Map([
    ['1', options.held ?? 25_000n],
    ['2', 25_000n],
  ])
  /** The payments, as `1 -> 2: 1.37`, with a star if they were refused. */
  const payments: string[] = []

  function showCustomer(id: string) {
    const shown = options.showsOldBalances ? 25_000n : (balances.get(id) ?? 0n)
    return {
      id: `customer ${id}`,
      tax_id: `tax ID ${id}`,
      account_id: `account ${id}`,
      account_number: id,
      ispb: '12345678',
      balance: reaisOf(shown),
    }
  }

  function findRefusal(payer: string, amount: bigint): string | undefined {
    const { limit, hasOverdraft = false, code = 'insufficient_funds' } = options
    if (limit !== undefined && amount > limit) return 'amount_not_allowed'
    const isCovered = amount <= (balances.get(payer) ?? 0n)
    return isCovered || hasOverdraft ? undefined : code
  }

  function pay({ body, by }: Input) {
    // The receiver has a token of its own, with which it pays back.
    const [payer, receiver] = by === 'customer' ? ['1', '2'] : ['2', '1']
    const amount = centavosOf(stringAt(body, '/amount')) ?? 0n
    const code = findRefusal(payer, amount)
    payments.push(`${payer} -> ${receiver}: ${reaisOf(amount)}${code === undefined ? '' : '*'}`)
    if (code !== undefined) return { status: 422, isAccepted: false, json: { code } }

    const isCovered = amount <= (balances.get(payer) ?? 0n)
    balances.set(payer, (balances.get(payer) ?? 0n) - amount)
    balances.set(receiver, (balances.get(receiver) ?? 0n) + amount)
    if (options.lostAs !== undefined && !isCovered)
      return { status: options.lostAs, isAccepted: false, json: undefined }
    return { isAccepted: true, json: { id: 'transfer' } }
  }

  function respond(id: string, input: Input) {
    if (id === 'createTransfer') return pay(input)

    const dict_key = stringAt(input.body, '/dict_key')
    const isTaxId = dict_key === 'tax ID 1'
    const json = {
      users: [{ id: 'user' }],
      customers: [showCustomer('1'), showCustomer('2')],
      access_token: 'token',
      initiation_id: 'initiation',
      dict_key,
      account_number: isTaxId && !options.hasNoTaxIdKeys ? '1' : '2',
    }
    return { isAccepted: true, json }
  }

  async function send(id: string, input: Input = {}) {
    return { sentAt: 1, status: 200, ...respond(id, input) }
  }
  return { send: Object.assign(send, { cleanUp: async () => [] }), balances, payments }
}

/** The payments of a run after the two that show which balances move. */
async function payAt(options: BankOptions) {
  const { send, balances, payments } = createBank(options)
  await requestsOf(
    { id: 'looks', wants: [], run: payBetweenLooks },
    { send: send as unknown as PlanContext['send'], maySearch: true },
  )
  const [first, second, ...others] = payments
  expect([first, second]).toEqual(['1 -> 2: 1.37', '1 -> 2: 2.41'])
  return { payments: others, left: balances.get('1') }
}

/** What the first customer holds after the first two payments. */
const LEFT = 24_622n

test('it pays no more than once if the service refuses that for lack of funds', async () => {
  expect(await payAt({})).toEqual({ payments: ['1 -> 2: 246.23*'], left: LEFT })
})

test('it lets the receiver pay back what the account did not hold', async () => {
  expect(await payAt({ hasOverdraft: true })).toEqual({
    payments: ['1 -> 2: 246.23', '2 -> 1: 246.23'],
    left: LEFT,
  })
})

test.each([0, 408, 429, 503])(
  'it pays nothing more if nobody knows whether the first payment was made (%i)',
  async (lostAs) => {
    const { payments } = await payAt({ hasOverdraft: true, lostAs })
    expect(payments).toEqual(['1 -> 2: 246.23'])
  },
)

test('it pays in parts if a payment has a limit, one more than the account holds, and all back', async () => {
  const part = '61.55'
  const four = (payment: string) => Array.from({ length: 4 }, () => payment)
  const ofFirst = ['1 -> 2: 246.23*', '1 -> 2: 123.11*', ...four(`1 -> 2: ${part}`)]
  const paidBack = four(`2 -> 1: ${part}`)
  expect(await payAt({ limit: 10_000n })).toEqual({
    payments: [...ofFirst, `1 -> 2: ${part}*`, ...paidBack],
    left: LEFT,
  })

  const overdrawn = await payAt({ limit: 10_000n, hasOverdraft: true })
  expect(overdrawn).toEqual({
    payments: [...ofFirst, `1 -> 2: ${part}`, ...paidBack, `2 -> 1: ${part}`],
    left: LEFT,
  })
})

test('it pays in parts if it does not know the code of the refusal', async () => {
  expect(await payAt({ code: 'saldo_insuficiente' })).toEqual({
    payments: [
      '1 -> 2: 246.23*',
      '1 -> 2: 123.11',
      '1 -> 2: 123.11',
      '1 -> 2: 123.11*',
      '2 -> 1: 123.11',
      '2 -> 1: 123.11',
    ],
    left: LEFT,
  })
})

test('it pays nothing more if a payment may not even be an eighth of the balance', async () => {
  expect(await payAt({ limit: 1_000n })).toEqual({
    payments: ['1 -> 2: 246.23*', '1 -> 2: 123.11*', '1 -> 2: 61.55*', '1 -> 2: 30.77*'],
    left: LEFT,
  })
})

test.each<BankOptions & { title: string }>([
  { title: 'nobody can pay it back, since tax IDs are no keys', hasNoTaxIdKeys: true },
  { title: 'the balances may be those of yesterday', showsOldBalances: true },
])('it pays no more than the account holds if $title', async ({ title: _, ...options }) => {
  expect(await payAt({ ...options, hasOverdraft: true })).toEqual({ payments: [], left: LEFT })
})

test('it pays no more from an account that has an overdraft already', async () => {
  expect(await payAt({ held: 0n, hasOverdraft: true })).toEqual({ payments: [], left: -378n })
})
