import type { IssueHandler } from './error.ts'
import { type BrObject, readLevel } from './tlv.ts'

/** Far more than a code has: 512 bytes, in which every character may be URL-encoded. */
export const MAX_CHARACTERS = 4096

/**
 * The objects of the first level that can be read before the first error in the structure, for a
 * person who looks for it. Their values are not validated: pay only what `decode` accepts.
 *
 * @example
 * const ids = readableObjects('00020126').map(({ id }) => id) // ['00']
 */
export function readableObjects(code: string): readonly BrObject[] {
  if (typeof code !== 'string' || code.length > MAX_CHARACTERS) return []

  const stop: IssueHandler = () => {}
  return readLevel(code, stop, undefined).objects
}
