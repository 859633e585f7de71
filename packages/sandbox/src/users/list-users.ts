import type { Handler } from '../handler.ts'
import { notFound } from '../problems.ts'
import { timestamp } from '../time.ts'
import { PARTNER, type PartnerRow, type UserRow, userOf } from './users.ts'

/** The users of the partner, newest first. */
export const listUsers: Handler<'listUsers'> = ({ caller, context }) =>
  context.store.read(async (queries) => {
    const partner = (await queries.get<PartnerRow>(PARTNER, [caller.partner_id])) ?? notFound()
    const users = await queries.all<UserRow>(OF_PARTNER, [caller.partner_id])
    return {
      created_at: timestamp(partner.created_at),
      partner_id: partner.id,
      user_id: partner.user_id,
      users: users.map(userOf),
    }
  })

const OF_PARTNER = 'SELECT * FROM users WHERE partner_id = ? ORDER BY position DESC LIMIT 1000'
