import { type CustomerBalance, listCustomerBalances } from '../model/customer-balance.ts'
import { LAG_MS } from '../model.ts'
import { lookUpUsers } from '../send/customers.ts'
import type { PlanContext } from './plan.ts'
import { EXAMPLE, prepareValidRequest, withAmount } from './valid-requests.ts'

/** Amounts that no other request has: of two payments of a key, and of a code with another amount. */
const AMOUNTS_OF_KEY = ['1.37', '2.41']
const AMOUNT_OF_CODE = '4.83'

/**
 * Pays a key twice, and a code with another amount than it has, which the service must refuse. Looks at the balances
 * before and after each, if the service shows some beside its customers.
 */
export async function payBetweenLooks(context: PlanContext): Promise<void> {
  const { send, maySearch } = context
  if (!maySearch) return

  const balances = await lookAtCustomers(context)
  if (balances.length === 0) return

  await lookAfterLag(context)
  for (const amount of AMOUNTS_OF_KEY) {
    const options = { example: EXAMPLE.key, by: 'customer' } as const
    const toKey = await prepareValidRequest(context, 'createTransfer', options)
    if (toKey) await send('createTransfer', withAmount(toKey, amount))
    await lookAtCustomers(context)
    await lookAfterLag(context)
  }

  const options = { example: EXAMPLE.immediateCode, by: 'payer' } as const
  const ofCode = await prepareValidRequest(context, 'createTransfer', options)
  if (ofCode) await send('createTransfer', withAmount(ofCode, AMOUNT_OF_CODE))
  await lookAtCustomers(context)
}

const PAUSE_MS = 1_100

/** Looks at the balances once no earlier payment can still move them: they may lag, and so may that of the receiver. */
async function lookAfterLag(context: PlanContext): Promise<void> {
  await context.wait(LAG_MS + PAUSE_MS)
  await lookAtCustomers(context)
}

/** The customers of so many users are looked at. */
const MAX_USERS = 3

/** Looks up the first users with their customers. Returns the balances that are shown beside the customers. */
async function lookAtCustomers({ send }: PlanContext): Promise<readonly CustomerBalance[]> {
  const balances: CustomerBalance[] = []
  let users = 0
  for await (const { json } of lookUpUsers(send)) {
    balances.push(...listCustomerBalances(json))
    users++
    if (users === MAX_USERS) break
  }
  return balances
}
