/**
 * A charge rule that a request breaks.
 *
 * @example
 * const fault: ChargeFault = { pointer: '/amount/original', code: 'field_missing', detail: '"original" is required.' }
 */
export type ChargeFault = {
  /** JSON pointer (RFC 6901) to the invalid or missing field. */
  pointer: string
  /** Whether the field is missing, or contradicts other fields. */
  code: 'field_missing' | 'invalid_charge'
  /** What was expected, for people. */
  detail: string
}

/**
 * The fault of a missing field.
 *
 * @example
 * missing('/amount/original').detail // '"original" is required.'
 */
export function missing(pointer: string): ChargeFault {
  return { pointer, code: 'field_missing', detail: `"${nameOf(pointer)}" is required.` }
}

/**
 * The fault of a field that contradicts others. `expected` completes the sentence after its name.
 *
 * @example
 * invalid('/amount/original', 'be above zero').detail // '"original" must be above zero.'
 */
export function invalid(pointer: string, expected: string): ChargeFault {
  return { pointer, code: 'invalid_charge', detail: `"${nameOf(pointer)}" must ${expected}.` }
}

function nameOf(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1)
}
