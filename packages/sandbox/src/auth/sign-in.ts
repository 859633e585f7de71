import { timingSafeEqual } from 'node:crypto'
import type { Handler } from '../handler.ts'
import { limited, Refusal } from '../problems.ts'
import { hashOf, issueTokens } from './tokens.ts'

/** What a wrong secret costs, where a right one costs 1: guessing soon has to wait. */
const COST_OF_A_GUESS = 20

type PartnerRow = { id: string; account_id: string; secret_hash: string }

/**
 * Signs a partner in by HTTP Basic (RFC 7617).
 *
 * @throws {Refusal} `invalid_credentials`, `rate_limited`
 */
export const signIn: Handler<'signIn'> = async ({ authorization, context }) => {
  const { store, limits } = context
  const [key, secret] = credentialsOf(authorization)
  limited(limits.signIns.take(key))
  const row = await store.read((queries) => queries.get<PartnerRow>(BY_KEY, [key]))
  // Hashed in any case: the time that a long secret takes would tell which keys there are.
  const given = hashOf(secret)
  if (!row || !isSame(row.secret_hash, given)) {
    limits.signIns.charge(key, COST_OF_A_GUESS)
    refuseCredentials()
  }
  const caller = { partner_id: row.id, customer_id: null, account_id: row.account_id }
  return store.write((queries) => issueTokens(queries, context, caller))
}

const BY_KEY = 'SELECT id, account_id, secret_hash FROM partners WHERE client_key = ?'

function credentialsOf(authorization: string | null): [key: string, secret: string] {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization ?? '')?.[1] ?? refuseCredentials()
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  // A key that is longer than any of ours would only fill the memory of the limits.
  if (colon < 1 || colon > 200 || text.includes('\0')) refuseCredentials()
  return [text.slice(0, colon), text.slice(colon + 1)]
}

function refuseCredentials(): never {
  throw new Refusal('invalid_credentials', { headers: { 'www-authenticate': 'Basic realm="partner"' } })
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
