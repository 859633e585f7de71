import { hash } from 'node:crypto'
import type { Context } from '../context.ts'
import type { Schemas } from '../contract.ts'
import { Refusal } from '../problems.ts'
import { secretText } from '../random.ts'
import type { Queries } from '../store/store.ts'
import type { Caller } from './caller.ts'

/** Lifetime of an access token in seconds. */
const LIFETIME = 3600

/**
 * Issues opaque tokens of 256 bits. Only the hash of the access token is stored. No operation accepts the refresh
 * token.
 */
export async function issueTokens(
  queries: Queries,
  { now, random, store }: Context,
  caller: Caller,
): Promise<Schemas['TokenSet']> {
  const access_token = secretText(random)
  await queries.run(`${EXPIRED}${store.skipLocked})`, [now()])
  await queries.run(
    'INSERT INTO tokens (hash, partner_id, customer_id, account_id, expires_at) VALUES (?, ?, ?, ?, ?)',
    [hashOf(access_token), caller.partner_id, caller.customer_id, caller.account_id, now() + LIFETIME * 1000],
  )
  return { access_token, expiration: LIFETIME, refresh_token: secretText(random), type: 'Bearer' }
}

// Delete a few at a time: after a pause there may be many.
const EXPIRED = `
  DELETE FROM tokens WHERE hash IN (
    SELECT hash FROM tokens WHERE expires_at < ? ORDER BY expires_at LIMIT 100`

type TokenRow = Caller & { expires_at: bigint }

/**
 * Finds the caller by the `authorization` header (RFC 6750, section 2.1).
 *
 * @throws {Refusal} `invalid_token`
 */
export async function callerOf({ store, now }: Context, authorization: string | null): Promise<Caller> {
  const token = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization ?? '')?.[1]
  const row = token && (await store.read((queries) => queries.get<TokenRow>(BY_HASH, [hashOf(token)])))
  if (!row || Number(row.expires_at) <= now()) throw new Refusal('invalid_token', { headers: CHALLENGE })
  return row
}

const BY_HASH = 'SELECT partner_id, customer_id, account_id, expires_at FROM tokens WHERE hash = ?'
const CHALLENGE = { 'www-authenticate': 'Bearer' }

/** The hash that is stored instead of a token or a client secret. */
export function hashOf(secret: string): string {
  return hash('sha256', secret, 'base64url')
}
