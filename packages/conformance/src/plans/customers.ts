import { stringAt } from '../contract/json.ts'
import { findUser } from '../send/customers.ts'
import type { Sender } from '../send/requests.ts'
import type { PlanContext } from './plan.ts'

/** The first customer of a partner, and its user. Each value is empty if the service shows none. */
export async function findCustomer({ send }: PlanContext, by: Sender) {
  const user = await findUser(send, by)
  return {
    user_id: user?.user_id ?? '',
    customer_id: stringAt(user?.shown, '/customers/0/id') ?? '',
    taxId: stringAt(user?.shown, '/customers/0/tax_id') ?? '',
    account: stringAt(user?.shown, '/customers/0/account_number') ?? '',
  }
}
