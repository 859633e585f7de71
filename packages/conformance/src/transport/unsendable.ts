import type { Required } from '../generate/required-parameters.ts'
import type { Contract } from '../model/contract.ts'
import type { OperationView } from '../model/operation-view.ts'
import { lacking } from './required-credentials.ts'
import type { Access } from './credentials.ts'

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
