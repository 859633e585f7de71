import { lacking } from '../callers/access.ts'
import type { Access } from '../callers/credentials.ts'
import type { Contract } from '../contract/contract.ts'
import type { OperationView } from '../contract/operation-view.ts'
import type { Required } from './required.ts'

interface Means {
  readonly required: Pick<Required, 'missing'>
  readonly given: Access | undefined
}

/** Why no request of an operation can be made; undefined where one can. */
export function whyUnaskable(
  contract: Pick<Contract, 'signIn'>,
  view: OperationView,
  { required, given }: Means,
): string | undefined {
  const missing = required.missing(view)
  const unknown = missing && `no value of its required "${missing}" is known`
  const why = view.unaskable ?? unknown ?? lacking(contract, view, given)
  return why && `not sent: ${why}`
}
