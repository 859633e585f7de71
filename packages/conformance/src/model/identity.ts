/** Whom a token stands for: a partner, or a customer of a partner. */
export interface Identity {
  /** The client key that signed in. */
  readonly partner: string
  readonly customer?: string
}

export interface Token {
  readonly identity: Identity
  readonly kind: 'access' | 'refresh'
  /** The operation that issued it, and when, by the clock of the service. */
  readonly issuedBy: string
  readonly issuedAt: number
  /** Until when it is valid by `expiration`, by the clock of the service. */
  readonly until: number
}

/** A word for an identity, which is the same for the same one. */
export function nameOf(identity: Identity): string {
  return identity.customer === undefined ? identity.partner : `${identity.partner}/${identity.customer}`
}
