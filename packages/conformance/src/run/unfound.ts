import { CODE_CREATIONS, requestName } from '../plans/valid-requests.ts'
import { findOperation } from '../send/requests.ts'
import type { RefusedRequest } from './refused-requests.ts'
import type { Session } from './session.ts'

/** The operations that create the codes that these requests check or pay. */
const CREATION_BY_REQUEST: ReadonlyMap<string, string> = new Map(
  CODE_CREATIONS.flatMap((creation, example) => [
    [requestName('checkCode', example), creation],
    [requestName('createTransfer', example), creation],
  ]),
)

/**
 * Ends the sentence about a valid request that was not accepted: that a new record does not show what the request
 * needs, where it is looked for: the id in a path, or the payment code of a check or a payment. Undefined if it shows
 * it, or if none was created.
 */
export function describeUnfound(
  refused: RefusedRequest,
  settings: Session['settings'],
): string | undefined {
  const creation = CREATION_BY_REQUEST.get(refused.request)
  if (creation !== undefined) return describeUnfoundCode(creation, settings)
  return describeUnfoundId(refused, settings)
}

/** Says that a new code does not show its payment code. */
function describeUnfoundCode(
  creation: string,
  { contract, form }: Session['settings'],
): string | undefined {
  const { resource } = findOperation(contract, creation) ?? {}
  if (resource === undefined || !form.isUnfound(resource, '/emv')) return undefined
  return describePlace('payment code', creation, { resource, field: 'emv' })
}

/** Says that a new record does not show an id, or which field was taken for it. */
function describeUnfoundId(
  { request, refusal }: RefusedRequest,
  { contract, form }: Session['settings'],
): string | undefined {
  const [id = ''] = request.split(' ', 1)
  const operation = findOperation(contract, id)
  if (!operation?.path.includes('{')) return undefined

  const creation = contract.operations.find(
    ({ role, resource }) => role === 'create' && resource === operation.resource,
  )
  const { resource } = creation ?? {}
  if (!creation || resource === undefined) return undefined
  if (form.isUnfound(resource, '/id'))
    return describePlace('id', creation.id, { resource, field: 'id' })

  if (!form.isIdGuessed(resource)) return undefined
  const status = refusal === undefined ? '' : ` (${refusal.status})`
  return `${status}: the id was taken from ${form.findIdPlace(resource)} of the record; if it is another field, name it with --set place/${resource}/id=POINTER`
}

function describePlace(
  what: string,
  creation: string,
  { resource, field }: { readonly resource: string; readonly field: string },
): string {
  return `: no ${what} was found in what ${creation} shows; name its place in the record with --set place/${resource}/${field}=POINTER, and that of the record with --set place/${resource}=POINTER`
}
