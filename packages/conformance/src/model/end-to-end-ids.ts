import { stringAt } from '../contract/json.ts'

/** E, the ISPB of an institution, a minute in UTC, and 11 letters or digits. */
const END_TO_END_ID = /^E\w{8}\d{12}\w{11}$/

/** Whether a text has the form of the ids that payments have in all of Pix. */
export function isEndToEndId(text: string): boolean {
  return END_TO_END_ID.test(text)
}

/** Reads the `end_to_end_id` that the response to a transfer shows; undefined if it shows none of this form. */
export function readEndToEndIdOfTransfer(transfer: {
  readonly responseBody: unknown
}): string | undefined {
  const id = stringAt(transfer.responseBody, '/data/end_to_end_id')
  return id !== undefined && isEndToEndId(id) ? id : undefined
}
