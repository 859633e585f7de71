import { escapeHidden } from './escape.ts'

/**
 * The stable codes of {@link BrCodeError} and {@link Issue}:
 *
 * - `text`: not a string, or not well-formed Unicode
 * - `size`: more than 512 bytes, a value of more than 99 characters, or more than 100 objects
 * - `structure`: an id or a length is not two digits, or a value runs past the end
 * - `empty`: an object of length 00
 * - `duplicate`: an object that may occur once occurs again
 * - `order`: 00 is not first, or 63 is not last
 * - `crc`: 63 does not match the text before it
 * - `not-pix`: no template 26 to 51 belongs to Pix
 * - `missing`: a mandatory object is absent
 * - `value`: a value does not have the format of its object or field
 * - `conflict`: two objects, fields or options contradict each other
 *
 * @example
 * const damaged: readonly BrCodeErrorCode[] = ['crc', 'structure']
 */
export type BrCodeErrorCode =
  | 'text'
  | 'size'
  | 'structure'
  | 'empty'
  | 'duplicate'
  | 'order'
  | 'crc'
  | 'not-pix'
  | 'missing'
  | 'value'
  | 'conflict'

/**
 * An error of a code and its location.
 *
 * @example
 * const show = ({ path, expected, found }: Issue) => `${path}: expected ${expected}, got ${found}`
 */
export interface Issue {
  /** The kind of error. Use it and the path in programs. */
  code: BrCodeErrorCode
  /**
   * The object: `"59"`, `"26-01"` inside a template, `""` for the whole code. In `encode` possibly
   * the name of a field or an option, such as `"kind"` or `"objects[2]"`.
   */
  path: string
  /**
   * The start of the object as an index into the code; for an absent object, the start of its
   * template. `undefined` if there is no position, as usually in `encode`.
   */
  offset: number | undefined
  /** What was expected, in words. */
  expected: string
  /** The received string, or the type of a value that is not a string; `undefined` if absent. */
  found: string | undefined
}

/**
 * The error of this package: the code (or the fields) cannot be a Pix BR Code. It has the
 * properties of an {@link Issue}, and a message for developers, in which control characters are
 * escaped. It contains the received value, which may be personal; {@link explain} gives a sentence
 * without it.
 *
 * @example
 * try {
 *   decode('0002')
 * } catch (error) {
 *   if (error instanceof BrCodeError) console.log(error.code, error.path, error.offset, error.message)
 * }
 */
export class BrCodeError extends Error implements Issue {
  /** Always `"BrCodeError"`. */
  override readonly name = 'BrCodeError'
  /** The kind of error. Use it and the path in programs. */
  declare readonly code: BrCodeErrorCode
  /** The object, as in {@link Issue}. */
  declare readonly path: string
  /** The start of the object, as in {@link Issue}. */
  declare readonly offset: number | undefined
  /** What was expected, in words. */
  declare readonly expected: string
  /** The received string, as in {@link Issue}. */
  declare readonly found: string | undefined

  /** Creates the error of an issue, for example of one that the lenient profile accepted. */
  constructor(issue: Issue) {
    const { path, offset, expected, found } = issue
    const place = offset === undefined ? path : `${path || 'code'} at ${offset}`
    super(escapeHidden(`${place}: expected ${expected}, got ${JSON.stringify(found) ?? 'nothing'}`))
    Object.assign(this, issue)
  }
}

/** Handles an issue: throws it or records it. */
export type IssueHandler = (issue: Issue) => void

export function refuse(issue: Issue): never {
  throw new BrCodeError(issue)
}
