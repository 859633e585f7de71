/**
 * The entries of spec/behaviour that the table reads. Their complete types are generated from the
 * schema of spec/behaviour, whose build needs this package.
 */
export interface DeclaredBehaviour {
  readonly resources?: Readonly<Record<string, DeclaredResource>>
  /** Operations on no record, by tag and role. */
  readonly actions?: Readonly<Record<string, DeclaredActions>>
  readonly lists?: Readonly<Record<string, { readonly items: string; readonly pages?: object }>>
  readonly permissions?: Readonly<Record<string, DeclaredPermission>>
  readonly events?: Readonly<Record<string, DeclaredEvent>>
}

export interface DeclaredResource {
  readonly tag: string
  readonly variant?: string
  readonly operations: Readonly<Record<string, string>>
  readonly id?: string
  readonly status?: string
  readonly records?: Readonly<Record<string, string>>
}

interface DeclaredActions {
  readonly operations: Readonly<Record<string, string>>
}

interface DeclaredPermission {
  readonly operations: readonly string[]
  readonly tokens: readonly TokenKind[]
}

/** Whose token may call: the partner's own, or one that acts for a customer. */
export type TokenKind = 'partner' | 'customer'

interface DeclaredEvent {
  readonly resource: readonly string[]
  readonly subscribers: readonly string[]
}
