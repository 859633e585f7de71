import type { Operation } from './operation.ts'

/**
 * Tells whether an authorization header carries credentials of the operation's scheme. Any will do: the
 * mock knows no partner. Prism's own check refuses a lower-case `bearer` and a secret with a colon in it.
 */
export function admits({ scheme }: Operation, authorization: string | null): boolean {
  if (scheme === undefined) return true
  const [, given, credentials] = /^([^ ]+) +([^ ]+)$/.exec(authorization ?? '') ?? []
  if (given?.toLowerCase() !== scheme || credentials === undefined) return false
  return scheme !== 'basic' || isBasic(credentials)
}

/** What www-authenticate says of the operation (RFC 9110, section 11.6.1). */
export function challenge({ scheme }: Operation): string {
  return `${scheme === 'basic' ? 'Basic' : 'Bearer'} realm="partner-payments"`
}

/** user-pass of RFC 7617, section 2: the user has no colon, the password may have some. */
function isBasic(credentials: string): boolean {
  return /^[^:]+:.+$/s.test(Buffer.from(credentials, 'base64').toString())
}
