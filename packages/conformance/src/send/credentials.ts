/** A key and a secret. */
export interface Credentials {
  readonly clientKey: string
  readonly clientSecret: string
}

/** Credentials to sign in with, or the token of a service that is signed in to elsewhere. */
export type Access = Credentials | { readonly token: string }

/** Writes the Basic header of credentials (RFC 7617). */
export function encodeBasicHeader({ clientKey, clientSecret }: Credentials): string {
  return `Basic ${Buffer.from(`${clientKey}:${clientSecret}`).toString('base64')}`
}
