import type { Operation } from './operation.ts'

const SCHEME_AND_CREDENTIALS = /^([^ ]+) +([^ ]+)$/

/**
 * Whether the authorization header has credentials of the operation's scheme. Any credentials are
 * accepted. Prism's own check would refuse a lower-case `bearer` and a secret with a colon.
 */
export function hasCredentials({ scheme }: Operation, authorization: string | null): boolean {
  if (scheme === undefined) return true
  if (authorization === null) return false

  const [, name, credentials] = SCHEME_AND_CREDENTIALS.exec(authorization) ?? []
  if (name === undefined || credentials === undefined) return false
  if (name.toLowerCase() !== scheme) return false

  return scheme !== 'basic' || isBasic(credentials)
}

/** The www-authenticate header of the operation (RFC 9110, section 11.6.1). */
export function challenge({ scheme }: Operation): string {
  const name = scheme === 'basic' ? 'Basic' : 'Bearer'
  return `${name} realm="partner-payments"`
}

/** user-pass of RFC 7617, section 2: only the password may contain colons. */
function isBasic(credentials: string): boolean {
  const userAndPassword = Buffer.from(credentials, 'base64').toString()
  return /^[^:]+:.+$/s.test(userAndPassword)
}
