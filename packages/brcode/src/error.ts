/** The stable codes of {@link BrCodeError} and {@link Issue}. */
export type BrCodeErrorCode =
  | 'text' // not a string, or not well-formed Unicode
  | 'size' // more than 512 bytes, or a value of more than 99 characters
  | 'structure' // an id or a length is not two digits, or a value runs past the end
  | 'empty' // an object of length 00
  | 'duplicate' // an object that may occur once occurs again
  | 'order' // 00 is not first, or 63 is not last
  | 'crc' // 63 does not match the text before it
  | 'not-pix' // no template 26 to 51 belongs to Pix
  | 'missing' // a mandatory object is absent
  | 'value' // a value has not the form of its object
  | 'conflict' // two objects, or a field and an object, contradict each other

/** What is wrong with a code, and where. */
export interface Issue {
  code: BrCodeErrorCode
  /** The object: `"59"`, `"26-01"` inside a template, `""` for the code as a whole; the field where `encode` finds a conflict. */
  path: string
  /**
   * Where the object begins, as an index into the code; of an absent object, where its template begins.
   * In `encode` an index into the code that it would have written. `undefined` where no place can be named.
   */
  offset: number | undefined
  /** What was expected, in words. */
  expected: string
  /** The text found instead; `undefined` where there is none. */
  found: string | undefined
}

/**
 * The one error of this package: the code (or the fields) cannot be a Pix BR Code.
 *
 * @example
 * try {
 *   decode('0002')
 * } catch (error) {
 *   if (error instanceof BrCodeError) console.log(error.code, error.path, error.offset, error.message)
 * }
 */
export class BrCodeError extends Error implements Issue {
  override readonly name = 'BrCodeError'
  declare readonly code: BrCodeErrorCode
  declare readonly path: string
  declare readonly offset: number | undefined
  declare readonly expected: string
  declare readonly found: string | undefined

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
