import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../context.ts'
import type { Handler } from '../handler.ts'
import { currentSource } from '../operation/source.ts'
import { notFound, Refusal, refuseIfLimited } from '../problems.ts'
import { bind } from '../store/store.ts'
import { hashSecret, issueTokens } from './tokens.ts'

type PartnerRow = { id: string; account_id: string; secret_hash: string }

/**
 * Signs a partner in by HTTP Basic (RFC 7617) and returns its tokens. Only failed attempts are
 * counted and limited, so correct credentials are never refused because someone else guesses.
 */
export const signIn: Handler<'signIn'> = async ({ authorization, context }) => {
  const [key, secret] = readCredentials(authorization)
  const row = await context.store.read((queries) => queries.get<PartnerRow>(PARTNER_BY_KEY, [key]))
  // Always hash and compare, or the response time would reveal which keys exist.
  const secretHash = row?.secret_hash ?? NO_HASH
  const isRight = isSame(secretHash, hashSecret(secret))
  if (!row || !isRight) refuseFailure(context, key)

  const caller = { partner_id: row.id, customer_id: null, account_id: row.account_id }
  return context.store.write((queries) => issueTokens(queries, context, caller))
}

const PARTNER_BY_KEY = 'SELECT id, account_id, secret_hash FROM partners WHERE client_key = ?'

/**
 * Reads the client key and the secret from a header such as `Basic a2V5OnNlY3JldA==`, which is the
 * base64 of `key:secret`. Throws the refusal of wrong credentials if it has another form.
 */
function readCredentials(authorization: string | null): [key: string, secret: string] {
  if (authorization === null) refuseCredentials()
  const [, encoded] = BASIC_WITH_BASE64.exec(authorization) ?? []
  if (encoded === undefined) refuseCredentials()

  const text = Buffer.from(encoded, 'base64').toString()
  const keyLength = text.indexOf(':')
  const hasKey = keyLength >= 1 && keyLength <= MAX_KEY_LENGTH
  if (!hasKey || text.includes('\0')) refuseCredentials()
  return [text.slice(0, keyLength), text.slice(keyLength + 1)]
}

const BASIC_WITH_BASE64 = /^basic +([A-Za-z0-9+/]+={0,2})$/i

/** Characters. No valid client key is longer. */
const MAX_KEY_LENGTH = 200

/** Compared with when the client key is unknown. No secret has this hash. */
const NO_HASH = hashSecret('')

function refuseFailure({ limits }: Context, key: string): never {
  const source = currentSource()
  refuseIfLimited(limits.signIns.count([`${source}\0${key}`, source, key]))
  return refuseCredentials()
}

function refuseCredentials(): never {
  throw new Refusal('invalid_credentials', {
    headers: { 'www-authenticate': 'Basic realm="partner"' },
  })
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

type CustomerRow = { account_id: string }

/**
 * Issues tokens with which a partner acts for one of its customers. The customer and its user must
 * belong to the partner and be active, or the response is a 404.
 */
export const impersonate: Handler<'impersonate'> = async ({
  body,
  caller,
  writeWithToken,
  context,
}) => {
  const { customer_id, user_id } = body
  const { partner_id } = caller
  return writeWithToken(async (queries) => {
    const statement = bind(ACTIVE_CUSTOMER, { customer_id, user_id, partner_id })
    const customer = (await queries.get<CustomerRow>(...statement)) ?? notFound()
    const { account_id } = customer
    return issueTokens(queries, context, { partner_id, customer_id, account_id })
  })
}

const ACTIVE_CUSTOMER = `
  SELECT c.account_id FROM customers c JOIN users u ON u.id = c.user_id
  WHERE c.id = :customer_id AND u.id = :user_id AND u.partner_id = :partner_id
    AND c.status = 'active' AND u.status = 'active'`
