import { nodeOf } from '../model/document.ts'
import { CannotRun } from '../model/errors.ts'
import type { Identity } from '../model/exchange.ts'
import type { Mask } from './mask.ts'

/** A client key and its secret. */
export interface Credentials {
  readonly clientKey: string
  readonly clientSecret: string
}

/** Credentials: a key and a secret for signing in or HTTP Basic, or a bearer token. Give all three if operations differ. */
export type Access = Credentials | { readonly token: string }

/**
 * Tokens are renewed this many milliseconds before they expire, but not before three quarters of their lifetime.
 */
const MARGIN = 30_000
const MARGIN_SHARE = 0.25

/** A token, and when it has to be renewed. */
export interface Token {
  readonly token: string
  readonly until: number
}

interface Names {
  readonly token: string
  readonly credentials: string
  readonly secret: string
}

/** Variables that replace secrets in reports. */
export const VARIABLES: Readonly<Record<Identity, Names>> = {
  partner: { token: '$TOKEN', credentials: '$CREDENTIALS', secret: '$CLIENT_SECRET' },
  other: { token: '$OTHER_TOKEN', credentials: '$OTHER_CREDENTIALS', secret: '$OTHER_SECRET' },
  customer: { token: '$CUSTOMER_TOKEN', credentials: '$CREDENTIALS', secret: '$CLIENT_SECRET' },
}

/** @throws {CannotRun} if no key and secret were given */
export function credentialsIn(access: Access | undefined): Credentials {
  if (access && 'clientKey' in access) return access
  throw new CannotRun('an operation needs a key and a secret, and none were given')
}

export function tokenWithoutExpiry(token: string): Token {
  return { token, until: Number.POSITIVE_INFINITY }
}

/** RFC 7617. */
export function basicHeader({ clientKey, clientSecret }: Credentials): string {
  return `Basic ${Buffer.from(`${clientKey}:${clientSecret}`).toString('base64')}`
}

/** Masks given credentials for the whole run. The first identity keeps its variable if two share a secret. */
export function pinSecrets(mask: Mask, identity: Identity, access: Access | undefined): void {
  if (!access) return
  const names = VARIABLES[identity]
  if ('token' in access) {
    pinForms(mask, access.token, names.token)
    return
  }
  mask.pin(basicHeader(access).replace('Basic ', ''), names.credentials)
  pinForms(mask, access.clientSecret, names.secret)
}

/** Also masks the secret as JSON, a path and a query encode it. */
function pinForms(mask: Mask, secret: string, name: string): void {
  const inQuery = new URLSearchParams({ '': secret }).toString().slice(1)
  for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), inQuery])
    mask.pin(form, name)
}

/** The token in the response to a sign-in. */
export function tokenOf(body: unknown): Token | undefined {
  const { access_token, expiration } = nodeOf(body)
  if (typeof access_token !== 'string') return undefined
  const ms = 1000 * (typeof expiration === 'number' && expiration > 0 ? expiration : 300)
  const margin = Math.min(MARGIN, ms * MARGIN_SHARE)
  return { token: access_token, until: Date.now() + ms - margin }
}
