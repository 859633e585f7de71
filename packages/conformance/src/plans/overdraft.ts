import { stringAt } from '../contract/json.ts'
import { INSUFFICIENT_FUNDS } from '../contract/words.ts'
import { reaisOf } from '../model/amounts.ts'
import type { CustomerBalance } from '../model/customer-balance.ts'
import { findCustomers } from '../send/customers.ts'
import { type Input, NOT_SENT, type Outcome, provesRefusal } from '../send/requests.ts'
import { impersonateCustomer, readTokenSender } from '../send/token-requests.ts'
import { lookAfterLag, lookAtCustomers } from './customer-balances.ts'
import type { PlanContext } from './plan.ts'
import {
  EXAMPLE,
  preparePaymentToOwner,
  prepareValidRequest,
  renewRequest,
  withAmount,
} from './valid-requests.ts'

/** Payments of more than an account holds, whose money the receiver pays back. */

/** The account that has paid the key of the example, and the one that got the money, with their balances. */
export interface PaidAccounts {
  readonly payer: CustomerBalance
  readonly receiver: CustomerBalance
}

/**
 * Pays as the customer more than its account holds, which the service must refuse, and looks at the balances. Then the
 * receiver pays back what was accepted, so that the customer can pay in other plans. Does nothing if that is not certain
 * to be possible.
 */
export async function payBeyondBalance(
  context: PlanContext,
  accounts: PaidAccounts,
): Promise<void> {
  // Of an account that owes money already, a centavo more than its balance is a negative amount.
  if (accounts.payer.centavos < 0n) return

  const paymentBack = await preparePaymentBack(context, accounts)
  if (!paymentBack) return

  const paidAmounts = await payUntilRefused(context, accounts.payer.centavos)
  await lookAtCustomers(context)
  for (const amount of paidAmounts) await payBack(context, paymentBack, amount)
}

/**
 * Builds the payment, without an amount, with which the receiver pays money back. Undefined if the service does not let
 * the partner act for the receiver, or if the tax ID of the payer is not the key of its account.
 */
async function preparePaymentBack(
  context: PlanContext,
  { payer, receiver }: PaidAccounts,
): Promise<Input | undefined> {
  const { send } = context
  const customers = await findCustomers(send)
  const owner = customers.find(({ customer_id }) => customer_id === payer.customer)
  const debtor = customers.find(({ customer_id }) => customer_id === receiver.customer)
  if (owner?.taxId === undefined || !debtor) return undefined

  const by = readTokenSender(await impersonateCustomer(debtor, send))
  if (by === undefined) return undefined

  const { taxId, account } = owner
  return preparePaymentToOwner(context, { taxId, account }, by)
}

/** Pays an amount back, after a look-up of the key for this payment. */
async function payBack(context: PlanContext, paymentBack: Input, amount: bigint): Promise<void> {
  const renewed = await renewRequest(context, paymentBack)
  if (renewed) await context.send('createTransfer', withAmount(renewed, reaisOf(amount)))
}

/**
 * Pays one centavo more than an account holds. If the service refuses that for another reason, such as a limit of each
 * payment, pays the account empty in equal parts, and one part more. Stops at the first refusal. Returns the amounts
 * that were accepted.
 */
async function payUntilRefused(context: PlanContext, balance: bigint): Promise<readonly bigint[]> {
  const tooMuch = balance + 1n
  const paid = await payKey(context, tooMuch)
  if (paid.isAccepted) return [tooMuch]
  // It may have been made.
  if (!provesRefusal(paid)) return []

  // The service compares the amount with the balance.
  const isForLackOfFunds = stringAt(paid.json, '/code') === INSUFFICIENT_FUNDS
  return isForLackOfFunds ? [] : payInParts(context, balance)
}

/** Into so many parts an account is divided: the first number of which the service accepts a payment. */
const PART_COUNTS = [2, 4, 8]

/** Pays an account empty in equal parts, and one part more. Returns the amounts that were accepted. */
async function payInParts(context: PlanContext, balance: bigint): Promise<readonly bigint[]> {
  for (const count of PART_COUNTS) {
    const part = balance / BigInt(count)
    if (part === 0n) return []

    const first = await payKey(context, part)
    if (first.isAccepted) return [part, ...(await payOtherParts(context, part, count))]
    // It may have been made.
    if (!provesRefusal(first)) return []
  }
  return []
}

/** Pays the parts after the first one, and one more. Returns the amounts that were accepted. */
async function payOtherParts(
  context: PlanContext,
  part: bigint,
  count: number,
): Promise<readonly bigint[]> {
  const paidAmounts: bigint[] = []
  for (let number = 2; number <= count + 1; number++) {
    const isBeyondBalance = number > count
    // A rule compares the balances before and after this payment.
    if (isBeyondBalance) await lookAfterLag(context)

    const { isAccepted } = await payKey(context, part)
    if (!isAccepted) break
    paidAmounts.push(part)
  }
  return paidAmounts
}

/** Pays the key of the example as the customer, after a look-up for this payment. */
export async function payKey(context: PlanContext, amount: bigint): Promise<Outcome> {
  const options = { example: EXAMPLE.key, by: 'customer' } as const
  const input = await prepareValidRequest(context, 'createTransfer', options)
  if (!input) return NOT_SENT
  return context.send('createTransfer', withAmount(input, reaisOf(amount)))
}
