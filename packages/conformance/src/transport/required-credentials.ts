import type { Contract } from '../model/contract.ts'
import { CannotRun } from '../model/errors.ts'
import type { OperationView } from '../model/operation-view.ts'
import type { Access } from './credentials.ts'

/** What a contract lets a caller in by: a key and its secret, or a token (a bearer token, an API key). */
export type Needed = 'key' | 'token'

/** What the operations that are asked about need, all kinds of it; none where they let everyone in. */
export function neededBy(
  contract: Contract,
  views: readonly OperationView[] = contract.operations,
): Set<Needed> {
  return new Set(views.flatMap((view) => neededFor(contract, view) ?? []))
}

function neededFor({ signIn }: Pick<Contract, 'signIn'>, { scheme }: OperationView): Needed | undefined {
  if (scheme === undefined) return undefined
  return scheme === 'basic' || (scheme === 'bearer' && signIn) ? 'key' : 'token'
}

/** In words, for messages. */
export const WORDS: Readonly<Record<Needed, string>> = {
  key: 'a key and a secret',
  token: 'a token',
}

export const WAS: Readonly<Record<Needed, string>> = { key: 'were', token: 'was' }

/**
 * Holds what was given to what is needed.
 *
 * @throws {CannotRun} where nothing was given, or nothing of the kind that is needed
 */
export function requireAccess(
  contract: Contract,
  views: readonly OperationView[],
  given: Access | undefined,
): void {
  const needed = neededBy(contract, views)
  const [first] = needed
  if (first === undefined) return
  if (!given) throw new CannotRun(`the contract asks for ${WORDS[first]}, and none ${WAS[first]} given`)
  const kinds = kindsOf(given)
  if (kinds.some((kind) => needed.has(kind))) return
  throw new CannotRun(`the contract asks for ${WORDS[first]}, and ${wereGiven(kinds)}`)
}

/** Why an operation cannot be asked with what was given; undefined where it can. */
export function lacking(
  contract: Pick<Contract, 'signIn'>,
  view: OperationView,
  given: Access | undefined,
): string | undefined {
  const needed = neededFor(contract, view)
  if (needed === undefined || !given || kindsOf(given).includes(needed)) return undefined
  return `it asks for ${WORDS[needed]}, and ${wereGiven(kindsOf(given))}`
}

function kindsOf(given: Access): Needed[] {
  return [
    ...('clientKey' in given ? (['key'] as const) : []),
    ...('token' in given ? (['token'] as const) : []),
  ]
}

function wereGiven(kinds: readonly Needed[]): string {
  const [kind, ...more] = kinds
  const were = more.length > 0 || kind === undefined ? 'were' : WAS[kind]
  return `${kinds.map((it) => WORDS[it]).join(' and ')} ${were} given`
}
