import { type CustomerBalance, listCustomerBalances } from '../model/customer-balance.ts'
import { LAG_MS } from '../model.ts'
import { lookUpUsers } from '../send/customers.ts'
import type { PlanContext } from './plan.ts'

/** Looks at the balances that a service may show beside the customers of users. */

/** The customers of so many users are looked at. */
const MAX_USERS = 3

/** Milliseconds after which a balance that may lag certainly lags no longer. */
const PAUSE_MS = LAG_MS + 1_100

/** Looks at the balances once no earlier payment can still move them. */
export async function lookAfterLag(context: PlanContext): Promise<readonly CustomerBalance[]> {
  await context.wait(PAUSE_MS)
  return lookAtCustomers(context)
}

/** Looks up the first users with their customers. Returns the balances that are shown beside the customers. */
export async function lookAtCustomers({ send }: PlanContext): Promise<readonly CustomerBalance[]> {
  const balances: CustomerBalance[] = []
  let users = 0
  for await (const { json } of lookUpUsers(send)) {
    balances.push(...listCustomerBalances(json))
    users++
    if (users === MAX_USERS) break
  }
  return balances
}
