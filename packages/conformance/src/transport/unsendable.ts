import type { RequiredParameters } from '../generate/required-parameters.ts'
import type { Contract } from '../model/contract.ts'
import type { OperationView } from '../model/operation-view.ts'
import type { Access } from './credentials.ts'
import { missingCredentials } from './required-credentials.ts'

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
