import { readObjects } from '../decode.ts'
import { BrCodeError } from '../error.ts'

/** What every code begins with: the format, object 00. */
export const START = '000201'

/** Whether the objects can be read and the checksum fits, whatever the values are. */
export function hasFittingChecksum(text: string): boolean {
  return isAccepted(() => readObjects(text, ignoreIssue))
}

function ignoreIssue(): void {}

/** Whether `read` returns without a BrCodeError. Any other error is a bug, and is thrown. */
export function isAccepted(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch (error) {
    if (error instanceof BrCodeError) return false
    throw error
  }
}
