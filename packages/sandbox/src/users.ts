import type { Schemas } from './contract.ts'
import type { Handler } from './handler.ts'
import { notFound } from './problems.ts'
import type { Queries } from './store/store.ts'
import { timestamp, timestampOrEmpty } from './time.ts'

export const listUsers: Handler<'listUsers'> = ({ caller: { partner_id }, context }) =>
  context.store.read(async (queries) => {
    const { created_at, user_id } = await findPartner(queries, partner_id)
    const users = await queries.all<User>(USERS_OF_PARTNER, [partner_id])
    return { created_at, partner_id, user_id, users }
  })

/** The partner, as both responses show it. Refuses with 404 if there is none. */
async function findPartner(
  queries: Queries,
  id: string,
): Promise<{ created_at: string; user_id: string }> {
  const row = (await queries.get<PartnerRow>(PARTNER_BY_ID, [id])) ?? notFound()
  return { user_id: row.user_id, created_at: timestamp(row.created_at) }
}

type PartnerRow = { readonly user_id: string; readonly created_at: bigint }
const PARTNER_BY_ID = 'SELECT user_id, created_at FROM partners WHERE id = ?'

type User = Schemas['User']

/** The columns of a user that the contract shows. */
const USER_COLUMNS = 'id, email, nickname, phone_number, status, tax_id, username'
/** The newest first, as the description of the operation says. */
const USERS_OF_PARTNER = `
  SELECT ${USER_COLUMNS} FROM users WHERE partner_id = ?
  ORDER BY position DESC LIMIT 1000`

type Customer = Schemas['Customer']
type CustomerRow = Omit<Customer, 'metadata' | 'created_at' | 'updated_at' | 'deleted_at'> & {
  metadata: string
  created_at: bigint
  updated_at: bigint
  deleted_at: bigint | null
}

/** Returns a user of the caller with its customers; 404 for one of another partner. */
export const getUser: Handler<'getUser'> = ({ path, caller: { partner_id }, context }) =>
  context.store.read(async (queries) => {
    const user =
      (await queries.get<User>(USER_OF_PARTNER, [path.user_id, partner_id])) ?? notFound()
    const { created_at } = await findPartner(queries, partner_id)
    const customers = await queries.all<CustomerRow>(CUSTOMERS_OF_USER, [user.id])
    return {
      created_at,
      partner_id,
      user_id: user.id,
      user,
      customers: customers.map(toCustomer),
    }
  })

const USER_OF_PARTNER = `SELECT ${USER_COLUMNS} FROM users WHERE id = ? AND partner_id = ?`
const CUSTOMERS_OF_USER = `
  SELECT c.id, c.account_id, c.customer_type, c.provider_id, c.referral_code, c.status, c.metadata,
    c.created_at, c.updated_at, c.deleted_at,
    a.branch AS account_branch, a.number AS account_number, a.type AS account_type,
    a.ispb, a.name, a.tax_id
  FROM customers c JOIN accounts a ON a.id = c.account_id
  WHERE c.user_id = ? ORDER BY c.position DESC LIMIT 1000`

/** A customer, as the contract shows it. */
function toCustomer({
  metadata,
  created_at,
  updated_at,
  deleted_at,
  ...customer
}: CustomerRow): Customer {
  return {
    ...customer,
    created_at: timestamp(created_at),
    updated_at: timestamp(updated_at),
    deleted_at: timestampOrEmpty(deleted_at),
    metadata: JSON.parse(metadata),
  }
}
