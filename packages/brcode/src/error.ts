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
 * - `value`: a value has not the form of its object, or of its field
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
 * What is wrong with a code, and where.
 *
 * @example
 * const show = ({ path, expected, found }: Issue) => `${path}: expected ${expected}, got ${found}`
 */
export interface Issue {
  /** What kind of fault it is; decide by this and by the path. */
  code: BrCodeErrorCode
  /**
   * The object: `"59"`, `"26-01"` inside a template, `""` for the code as a whole. In `encode` the name of a field
   * or an option, as `"kind"` or `"objects[2]"`, where no object is to blame.
   */
  path: string
  /**
   * Where the object begins, as an index into the code; of an absent object, where its template begins.
   * `undefined` where no place can be named, as mostly in `encode`.
   */
  offset: number | undefined
  /** What was expected, in words. */
  expected: string
  /** The text found instead, or the type of what is no text; `undefined` where there is nothing. */
  found: string | undefined
}

/**
 * The one error of this package: the code (or the fields) cannot be a Pix BR Code. It has the members of an
 * {@link Issue}, and a message for developers made of them.
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
  /** What kind of fault it is; decide by this and by the path. */
  declare readonly code: BrCodeErrorCode
  /** The object, as in {@link Issue}. */
  declare readonly path: string
  /** Where the object begins, as in {@link Issue}. */
  declare readonly offset: number | undefined
  /** What was expected, in words. */
  declare readonly expected: string
  /** The text found instead, as in {@link Issue}. */
  declare readonly found: string | undefined

  /** Makes the error of an issue, as one that the lenient profile let pass. */
  constructor(issue: Issue) {
    const { path, offset, expected, found } = issue
    const place = offset === undefined ? path : `${path || 'code'} at ${offset}`
    super(`${place}: expected ${expected}, got ${JSON.stringify(found) ?? 'nothing'}`)
    Object.assign(this, issue)
  }
}

/** What becomes of a fault: it is thrown, or noted. */
export type Report = (issue: Issue) => void

export function refuse(issue: Issue): never {
  throw new BrCodeError(issue)
}
