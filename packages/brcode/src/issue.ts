import { twoDigits } from './digits.ts'
import type { BrCodeErrorCode, Issue } from './error.ts'

/** An object as far as it is known: one not written yet has no offset. */
export interface Place {
  readonly id: string
  readonly value?: string | undefined
  readonly offset?: number | undefined
}

/** What is wrong with an object, in the words of an error. */
export function issueAt(
  { id, value, offset }: Place,
  code: BrCodeErrorCode,
  expected: string,
  parent?: Place,
): Issue {
  return { code, path: parent ? `${parent.id}-${id}` : id, offset, expected, found: value }
}

/** What is wrong where an object is absent; the offset is that of the template that should hold it. */
export function issueMissing(number: number, expected: string, parent?: Place): Issue {
  return issueAt({ id: twoDigits(number), offset: parent?.offset }, 'missing', expected, parent)
}
