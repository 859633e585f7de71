import { findOnlyItem } from '../contract/json.ts'
import { reaisOf } from '../model/amounts.ts'
import type { CustomerBalance } from '../model/customer-balance.ts'
import { lookAfterLag, lookAtCustomers } from './customer-balances.ts'
import { type PaidAccounts, payBeyondBalance, payKey } from './overdraft.ts'
import type { PlanContext } from './plan.ts'
import { EXAMPLE, prepareValidRequest, withAmount } from './valid-requests.ts'

/** Amounts that no other request has, in centavos: of two payments of a key, and of a code with another amount. */
const AMOUNTS_OF_KEY = [137n, 241n]
const AMOUNT_OF_CODE = 483n

/**
 * Pays a key twice and, if the balances move by that, more than the account holds. Then pays a code with another amount
 * than it has, which the service must refuse. Looks at the balances before and after each, if the service shows some
 * beside its customers.
 */
export async function payBetweenLooks(context: PlanContext): Promise<void> {
  const { send, maySearch } = context
  if (!maySearch) return

  const balances = await lookAtCustomers(context)
  if (balances.length === 0) return

  const before = await lookAfterLag(context)
  let after = before
  for (const amount of AMOUNTS_OF_KEY) {
    await payKey(context, amount)
    await lookAtCustomers(context)
    after = await lookAfterLag(context)
  }

  const accounts = findPaidAccounts(before, after)
  if (accounts) {
    await payBeyondBalance(context, accounts)
    await lookAfterLag(context)
  }

  const options = { example: EXAMPLE.immediateCode, by: 'payer' } as const
  const ofCode = await prepareValidRequest(context, 'createTransfer', options)
  if (ofCode) await send('createTransfer', withAmount(ofCode, reaisOf(AMOUNT_OF_CODE)))
  await lookAtCustomers(context)
}

/**
 * Finds the account that has paid the amounts of the key, and the one that got them, by the only two balances that
 * moved by their sum. Undefined if the money went to somebody else, or if the balances may not be those of now.
 */
function findPaidAccounts(
  before: readonly CustomerBalance[],
  after: readonly CustomerBalance[],
): PaidAccounts | undefined {
  const sum = AMOUNTS_OF_KEY.reduce((total, amount) => total + amount, 0n)
  const findMovedBy = (centavos: bigint) =>
    findOnlyItem(after.filter((balance) => calculateMove(balance, before) === centavos))

  const payer = findMovedBy(-sum)
  const receiver = findMovedBy(sum)
  return payer && receiver && { payer, receiver }
}

/** Calculates how many centavos an account has gained since earlier looks; undefined if these do not show it. */
function calculateMove(
  { accountId, centavos }: CustomerBalance,
  before: readonly CustomerBalance[],
): bigint | undefined {
  const earlier = before.find((balance) => balance.accountId === accountId)
  return earlier && centavos - earlier.centavos
}
