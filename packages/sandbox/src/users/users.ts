import type { Schemas } from '../contract.ts'

export type UserRow = Schemas['User'] & { partner_id: string }

/** A user, as the contract shows it. */
export function userOf(row: UserRow): Schemas['User'] {
  const { email, id, nickname, phone_number, status, tax_id, username } = row
  return { email, id, nickname, phone_number, status, tax_id, username }
}

/** The partner, as both responses show it. */
export type PartnerRow = { id: string; user_id: string; created_at: bigint }

export const PARTNER = 'SELECT id, user_id, created_at FROM partners WHERE id = ?'
