import type { Handler } from '../handler.ts'
import { notFound } from '../problems.ts'
import { issueTokens } from './tokens.ts'

type CustomerRow = { id: string; account_id: string }

/** Issues tokens that act for a customer. The customer and its user must belong to the partner and be active. */
export const impersonate: Handler<'impersonate'> = async ({ body, caller, context }) => {
  const values = [body.customer_id, body.user_id, caller.partner_id]
  return context.store.write(async (queries) => {
    const customer = (await queries.get<CustomerRow>(ACTIVE, values)) ?? notFound()
    const { id: customer_id, account_id } = customer
    return issueTokens(queries, context, { partner_id: caller.partner_id, customer_id, account_id })
  })
}

const ACTIVE = `
  SELECT c.id, c.account_id FROM customers c JOIN users u ON u.id = c.user_id
  WHERE c.id = ? AND u.id = ? AND u.partner_id = ? AND c.status = 'active' AND u.status = 'active'`
