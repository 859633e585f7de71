import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../context.ts'
import type { Handler } from '../handler.ts'
import { currentSource } from '../operation/source.ts'
import { limited, Refusal } from '../problems.ts'
import { hashOf, issueTokens } from './tokens.ts'

type PartnerRow = { id: string; account_id: string; secret_hash: string }

/**
 * Signs a partner in by HTTP Basic (RFC 7617). A right secret is never refused, whoever else guesses: only what failed
 * counts, and only that is limited.
 *
 * @throws {Refusal} `invalid_credentials`; `rate_limited` in its place after many failures
 */
export const signIn: Handler<'signIn'> = async ({ authorization, context }) => {
  const [key, secret] = credentialsOf(authorization)
  const row = await context.store.read((queries) => queries.get<PartnerRow>(BY_KEY, [key]))
  // Hashed and compared in any case: the time that it takes would tell which keys there are.
  const isRight = isSame(row?.secret_hash ?? NO_HASH, hashOf(secret))
  if (!row || !isRight) refuseFailure(context, key)
  const caller = { partner_id: row.id, customer_id: null, account_id: row.account_id }
  return context.store.write((queries) => issueTokens(queries, context, caller))
}

const BY_KEY = 'SELECT id, account_id, secret_hash FROM partners WHERE client_key = ?'

function credentialsOf(authorization: string | null): [key: string, secret: string] {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization ?? '')?.[1] ?? refuseCredentials()
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  // No key of ours is longer.
  if (colon < 1 || colon > 200 || text.includes('\0')) refuseCredentials()
  return [text.slice(0, colon), text.slice(colon + 1)]
}

/** The hash of no secret. */
const NO_HASH = hashOf('')

function refuseFailure({ limits }: Context, key: string): never {
  const source = currentSource()
  limited(limits.signIns.count([`${source}\0${key}`, source, key]))
  return refuseCredentials()
}

function refuseCredentials(): never {
  throw new Refusal('invalid_credentials', { headers: { 'www-authenticate': 'Basic realm="partner"' } })
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
