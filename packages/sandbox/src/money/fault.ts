/**
 * A charge rule that a request breaks.
 *
 * @example
 * const fault: ChargeFault = { pointer: '/amount/original', code: 'member_missing', detail: '"original" must be there.' }
 */
export type ChargeFault = {
  /** JSON pointer (RFC 6901) to the member at fault, be it there or not. */
  pointer: string
  /** Whether the member is absent, or does not go with the others. */
  code: 'member_missing' | 'invalid_charge'
  /** What was expected, for people. */
  detail: string
}

/**
 * The fault of a member that is absent.
 *
 * @example
 * missing('/amount/original').detail // '"original" must be there.'
 */
export function missing(pointer: string): ChargeFault {
  return { pointer, code: 'member_missing', detail: `"${nameOf(pointer)}" must be there.` }
}

/**
 * The fault of a member that does not go with the others: what it must be, after its name.
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
