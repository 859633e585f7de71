import { twoDigits } from './digits.ts'
import { type BrCodeErrorCode, type Issue, refuse } from './error.ts'

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

/** Refuses a field or an option of `encode` by its name. */
export function refuseNamed(name: string, code: BrCodeErrorCode, expected: string, value: unknown): never {
  refuse(issueAt({ id: name, value: shown(value) }, code, expected))
}

/** What an error says it found where a text should be: programs without types hand over anything. */
export function shown(value: unknown): string | undefined {
  if (value == null) return undefined
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : typeof value
}
