import type { BrCodeError } from '../error.ts'

/**
 * The faults for which there are hints:
 *
 * - `length-in-bytes`: lengths count UTF-8 bytes, not characters
 * - `length-in-utf-16`: lengths count UTF-16 units, not characters
 * - `checksum-over-latin-1`: the checksum was computed over Latin-1, not UTF-8
 * - `checksum-zero-lost`: the checksum has lost its leading zeros
 * - `text-after`: something stands behind the checksum
 * - `url-encoded`: the code is URL-encoded
 * - `text-before`: something stands before the code
 * - `spaces-collapsed`: runs of spaces have become single spaces
 * - `first-zero-lost`: the code has lost its first zeros
 * - `amount-with-comma`: the amount has a comma
 *
 * @example
 * const inTransit: readonly HintFault[] = ['text-after', 'text-before', 'url-encoded']
 */
export type HintFault =
  | 'length-in-bytes'
  | 'length-in-utf-16'
  | 'checksum-over-latin-1'
  | 'checksum-zero-lost'
  | 'text-after'
  | 'url-encoded'
  | 'text-before'
  | 'spaces-collapsed'
  | 'first-zero-lost'
  | 'amount-with-comma'

/**
 * Why a code is refused, as an experiment has shown.
 *
 * @example
 * const show = ({ fault, sentence }: Hint) => `${fault}: ${sentence}`
 */
export interface Hint {
  /** The stable name of the fault. */
  readonly fault: HintFault
  /** What is wrong and what to do, for developers. Contains no value of the code. */
  readonly sentence: string
}

/** A fault that has a hint. */
interface Fault {
  readonly fault: HintFault
  /** The sentence of the hint about a text with this fault. */
  describe(text: string): string
}

/** A fault of a code that has no other. */
export interface SingleFault extends Fault {
  /** Whether the code fits once this fault is corrected. */
  isPresent(text: string, error: BrCodeError): boolean
}

/** A fault that is around a code, which may have others. */
export interface Wrapper extends Fault {
  /** The texts that may be inside. */
  unwrap(text: string): readonly string[]
}
