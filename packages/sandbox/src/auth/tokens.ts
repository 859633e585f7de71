import { hash } from 'node:crypto'
import { ACCESS_TOKEN_MS, accessTokenExpiration } from '../behaviour.ts'
import type { Context, HandlerContext } from '../context.ts'
import type { Schemas } from '../contract.ts'
import { Refusal } from '../problems.ts'
import { secretText } from '../random.ts'
import { insertStatement, type Queries, type Store, sendInOneTrip } from '../store/store.ts'

/**
 * Issues a token set: two random texts of 256 bits. Only the hash of the access token is stored,
 * with the caller that it identifies. No operation accepts the refresh token.
 */
export async function issueTokens(
  queries: Queries,
  { now, random, store }: HandlerContext,
  caller: Caller,
): Promise<Schemas['TokenSet']> {
  await queries.run(deletionOfExpired(store), [now()])
  const access_token = secretText(random)
  const row = {
    hash: hashSecret(access_token),
    partner_id: caller.partner_id,
    customer_id: caller.customer_id,
    account_id: caller.account_id,
    expires_at: now() + ACCESS_TOKEN_MS,
  }
  await queries.run(...insertStatement('tokens', row))
  return {
    access_token,
    expiration: accessTokenExpiration(),
    refresh_token: secretText(random),
    type: 'Bearer',
  }
}

/**
 * Deletes the tokens that expired before a time, a few at a time: after a pause there may be many.
 */
const deletionOfExpired = ({ skipLocked }: Pick<Store, 'skipLocked'>) => `
  DELETE FROM tokens WHERE hash IN (
    SELECT hash FROM tokens WHERE expires_at < ? ORDER BY expires_at LIMIT 100${skipLocked})`

type TokenRow = Caller & { expires_at: bigint }

/**
 * Returns the partner, and the customer it acts for, whose token is in the `authorization` header
 * (RFC 6750, section 2.1).
 *
 * @throws {Refusal} status 401 if the token is unknown or has expired
 */
export async function findCaller(
  { store, now }: Context,
  authorization: string | null,
): Promise<Caller> {
  const row = await store.read((queries) => requireToken(queries, readHash(authorization)))
  const hasExpired = Number(row.expires_at) <= now()
  if (hasExpired) refuseToken()
  return row
}

/**
 * Returns the `writeWithToken` of a request: a `write` of the store that also checks, in the same
 * transaction, that the token still exists. A reset may have removed it since {@link findCaller}
 * accepted it.
 */
export function createWriteWithToken(store: Store, authorization: string | null): Store['write'] {
  return (work) =>
    store.write(async (queries) => {
      // Both are sent at once. If the token is gone, the transaction undoes the work.
      const token = requireToken(queries, readHash(authorization))
      const [, value] = await sendInOneTrip([token, work(queries)])
      return value
    })
}

/** Whether this sandbox issued the token of an `authorization` header, which may have expired. */
export async function isIssued({ store }: Context, authorization: string): Promise<boolean> {
  const token = readBearerToken(authorization)
  if (token === undefined) return false

  const row = await store.read((queries) => queries.get(TOKEN_BY_HASH, [hashSecret(token)]))
  return row !== undefined
}

function readHash(authorization: string | null): string {
  return hashSecret(readBearerToken(authorization) ?? refuseToken())
}

function readBearerToken(authorization: string | null): string | undefined {
  const [, token] = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization ?? '') ?? []
  return token
}

async function requireToken(queries: Queries, hash: string): Promise<TokenRow> {
  return (await queries.get<TokenRow>(TOKEN_BY_HASH, [hash])) ?? refuseToken()
}

function refuseToken(): never {
  throw new Refusal('invalid_token', { headers: CHALLENGE })
}

const TOKEN_BY_HASH =
  'SELECT partner_id, customer_id, account_id, expires_at FROM tokens WHERE hash = ?'
const CHALLENGE = { 'www-authenticate': 'Bearer' }

/** The hash that is stored instead of a token or a client secret. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url')
}

/** The partner and account that an access token stands for. */
export interface Caller {
  readonly partner_id: string
  /** The customer that the partner acts for, or null if it acts for itself. */
  readonly customer_id: string | null
  /** The account that pays and receives. */
  readonly account_id: string
}
