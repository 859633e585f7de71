import { fieldsOf, listItems, stringAt, valueAt } from '../contract/json.ts'
import type { Input, Outcome, Sender } from './requests.ts'

/** Sends a request. */
export type Call = (operation: string, input: Input) => Promise<Outcome>

/** A customer, and its user, as an impersonation names them. */
export interface CustomerIds {
  readonly user_id: string
  readonly customer_id: string
}

/** A user as the look-up shows it, with its active customers first. */
export interface FoundUser {
  readonly user_id: string
  readonly shown: unknown
}

/** So many users are looked up to find customers. */
const MAX_USERS = 20

/** Looks up the users of the list, one whenever the caller asks for the next. */
export async function* lookUpUsers(call: Call, by?: Sender) {
  const users = await call('listUsers', { by })
  for (let i = 0; i < MAX_USERS; i++) {
    const user_id = stringAt(users.json, `/users/${i}/id`)
    if (user_id === undefined) return

    // The list does not show the customers of a user.
    const { json } = await call('getUser', { path: { user_id }, by })
    yield { user_id, json }
  }
}

/**
 * Finds the user whose customer the run acts as. The first active user with an active customer is best,
 * then the first one with any customer, then the first one of all. Undefined if there are no users.
 *
 * @param call Sends a request.
 */
export async function findUser(call: Call, by?: Sender): Promise<FoundUser | undefined> {
  let firstUser: FoundUser | undefined
  let firstWithCustomer: FoundUser | undefined
  for await (const { user_id, json } of lookUpUsers(call, by)) {
    const user = { user_id, shown: sortActiveFirst(json) }
    firstUser ??= user

    // An active customer, if the user has one.
    const customer = valueAt(user.shown, '/customers/0')
    if (customer === undefined) continue
    firstWithCustomer ??= user

    // Nothing better can come.
    const areBothActive = isActive(valueAt(json, '/user')) && isActive(customer)
    if (areBothActive) return user
  }
  return firstWithCustomer ?? firstUser
}

/** Whether the service lets the run act for a user or a customer. One that shows no status is active. */
function isActive(record: unknown): boolean {
  const status = stringAt(record, '/status')
  return status === undefined || status === 'active'
}

/** The look-up of a user with its active customers before the others. */
function sortActiveFirst(lookUp: unknown): unknown {
  const customers = valueAt(lookUp, '/customers')
  if (!Array.isArray(customers)) return lookUp

  const activeCustomers = customers.filter((customer) => isActive(customer))
  const otherCustomers = customers.filter((customer) => !isActive(customer))
  return { ...fieldsOf(lookUp), customers: [...activeCustomers, ...otherCustomers] }
}

/** A customer of a partner, as the look-up of its user shows it. */
export interface FoundCustomer extends CustomerIds {
  readonly taxId: string | undefined
  readonly account: string | undefined
}

/** Once so many customers are found, no further user is looked up. */
const ENOUGH_CUSTOMERS = 6

/** Finds the customers of the first users: all of each user, until there are enough. */
export async function findCustomers(call: Call, by?: Sender): Promise<readonly FoundCustomer[]> {
  const foundCustomers: FoundCustomer[] = []
  for await (const { user_id, json } of lookUpUsers(call, by)) {
    for (const shown of listItems(valueAt(json, '/customers'))) {
      const customer = readCustomer(user_id, shown)
      if (customer) foundCustomers.push(customer)
    }
    if (foundCustomers.length >= ENOUGH_CUSTOMERS) break
  }
  return foundCustomers
}

/** Reads a customer of a user; undefined if it has no id. */
export function readCustomer(user_id: string, shown: unknown): FoundCustomer | undefined {
  const customer_id = stringAt(shown, '/id')
  if (customer_id === undefined) return undefined
  return {
    user_id,
    customer_id,
    taxId: stringAt(shown, '/tax_id'),
    account: stringAt(shown, '/account_number'),
  }
}
