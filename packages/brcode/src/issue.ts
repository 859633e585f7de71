import { twoDigits } from './digits.ts'
import { type BrCodeErrorCode, type Issue, refuse } from './error.ts'

/** An object; one that is not written yet has no offset. */
export interface Place {
  readonly id: string
  readonly value?: string | undefined
  readonly offset?: number | undefined
}

/**
 * The issue of an object: what was expected there, and what was found. Its path is the id of the
 * object, such as `54`, or `26-01` in a template.
 */
export function createIssue(
  { id, value, offset }: Place,
  code: BrCodeErrorCode,
  expected: string,
  parent?: Place,
): Issue {
  return {
    code,
    path: parent ? `${parent.id}-${id}` : id,
    offset,
    expected,
    found: value,
  }
}

/** The issue of a missing object; the offset is that of its template. */
export function createMissingIssue(number: number, expected: string, parent?: Place): Issue {
  const place = { id: twoDigits(number), offset: parent?.offset }
  return createIssue(place, 'missing', expected, parent)
}

/** Throws the error about a field or an option of `encode`, by its name. */
export function refuseNamed(
  name: string,
  code: BrCodeErrorCode,
  expected: string,
  value: unknown,
): never {
  refuse(createIssue({ id: name, value: shown(value) }, code, expected))
}

/** Formats a received value of any type, since untyped programs may pass anything. */
export function shown(value: unknown): string | undefined {
  if (value == null) return undefined
  if (typeof value === 'string' || typeof value === 'number') return `${value}`
  return typeof value
}
