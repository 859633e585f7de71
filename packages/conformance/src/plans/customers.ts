import { stringAt, valueAt } from '../contract/json.ts'
import { findUser } from '../send/customers.ts'
import type { Sender } from '../send/requests.ts'
import type { PlanContext } from './plan.ts'

/** The first customer of a partner, and its user. Each value is empty if the service shows none. */
export async function findCustomer({ send }: PlanContext, by: Sender) {
  const user = await findUser(send, by)
  const customer = valueAt(user?.shown, '/customers/0')
  return {
    user_id: user?.user_id ?? '',
    customer_id: stringAt(customer, '/id') ?? '',
    taxId: stringAt(customer, '/tax_id') ?? '',
    account: stringAt(customer, '/account_number') ?? '',
  }
}
