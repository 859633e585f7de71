import type { Exchange } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'

/** A well-formed id that no record has. */
export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

/** Parameters for the path of a record that does not exist. */
export function unknownPath({ pathParameters }: OperationView): Record<string, string> {
  return Object.fromEntries(pathParameters.map(({ name }) => [name, UNKNOWN_ID]))
}

/** Whether a response says that the record does not exist or was removed (RFC 9110, sections 15.5.5 and 15.5.11). */
export function isGone({ response: { status } }: Exchange): boolean {
  return status === 404 || status === 410
}

/** Whether a response says so as the contract declares: 404, or 410 if that is declared. */
export function isDeclaredMissing({ view, response: { status } }: Exchange): boolean {
  return status === 404 || (status === 410 && view?.statuses.includes('410') === true)
}
