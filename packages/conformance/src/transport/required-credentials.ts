import type { RequiredParameters } from '../generate/required-parameters.ts'
import type { Contract } from '../model/contract.ts'
import { CannotRun } from '../model/errors.ts'
import type { OperationView } from '../model/operation-view.ts'
import type { Access } from './credentials.ts'

/** The kinds of credentials: a key with a secret, or a bearer token. */
export type CredentialKind = 'key' | 'token'

/** The kinds that the operations need; empty if they need none. */
export function credentialKindsOf(
  contract: Contract,
  views: readonly OperationView[] = contract.operations,
): Set<CredentialKind> {
  return new Set(views.flatMap((view) => credentialKindOf(contract, view) ?? []))
}

function credentialKindOf(
  { signIn }: Pick<Contract, 'signIn'>,
  { scheme }: OperationView,
): CredentialKind | undefined {
  if (scheme === undefined) return undefined
  return scheme === 'basic' || (scheme === 'bearer' && signIn) ? 'key' : 'token'
}

/** For messages. */
export const KIND_NAMES: Readonly<Record<CredentialKind, string>> = {
  key: 'a key and a secret',
  token: 'a token',
}

export const WAS_OR_WERE: Readonly<Record<CredentialKind, string>> = { key: 'were', token: 'was' }

/**
 * Checks that the given credentials fit at least one operation.
 *
 * @throws {CannotRun} if credentials are missing, or of another kind
 */
export function requireAccess(
  contract: Contract,
  views: readonly OperationView[],
  given: Access | undefined,
): void {
  const needed = credentialKindsOf(contract, views)
  const [first] = needed
  if (first === undefined) return
  if (!given)
    throw new CannotRun(`the contract asks for ${KIND_NAMES[first]}, and none ${WAS_OR_WERE[first]} given`)
  const kinds = kindsOf(given)
  if (kinds.some((kind) => needed.has(kind))) return
  throw new CannotRun(`the contract asks for ${KIND_NAMES[first]}, and ${wereGiven(kinds)}`)
}

/** Why the credentials do not fit an operation; undefined if they do. */
function missingCredentials(
  contract: Pick<Contract, 'signIn'>,
  view: OperationView,
  given: Access | undefined,
): string | undefined {
  const needed = credentialKindOf(contract, view)
  if (needed === undefined || !given || kindsOf(given).includes(needed)) return undefined
  return `it asks for ${KIND_NAMES[needed]}, and ${wereGiven(kindsOf(given))}`
}

function kindsOf(given: Access): CredentialKind[] {
  return [
    ...('clientKey' in given ? (['key'] as const) : []),
    ...('token' in given ? (['token'] as const) : []),
  ]
}

function wereGiven(kinds: readonly CredentialKind[]): string {
  const [kind, ...more] = kinds
  const were = more.length > 0 || kind === undefined ? 'were' : WAS_OR_WERE[kind]
  return `${kinds.map((it) => KIND_NAMES[it]).join(' and ')} ${were} given`
}

interface UnsendableOptions {
  readonly required: Pick<RequiredParameters, 'missing'>
  readonly given: Access | undefined
}

/** Why no request of an operation can be built; undefined if one can. */
export function unsendableReason(
  contract: Pick<Contract, 'signIn'>,
  view: OperationView,
  { required, given }: UnsendableOptions,
): string | undefined {
  const missing = required.missing(view)
  const unknown = missing && `no value of its required "${missing}" is known`
  const why = view.unsendable ?? unknown ?? missingCredentials(contract, view, given)
  return why && `not sent: ${why}`
}
