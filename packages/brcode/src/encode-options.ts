import type { Profile } from './decode.ts'

/**
 * What `encode` may alter, and how strictly it holds the fields to the norm.
 *
 * @example
 * const options: EncodeOptions = { fit: true }
 */
export interface EncodeOptions extends Profile {
  /**
   * Makes merchant name, city and message ASCII (`São João` becomes `Sao Joao`), and cuts name and city to their
   * 25 and 15 characters. Latin letters lose their marks; the others, ordinals, curly quotes, dashes, the ellipsis
   * and the slash of fractions are spelled (`ß` as `ss`, `’` as `'`); spaces become one. Any other character is
   * refused by its name, in both profiles, because leaving it out could change a number: `2½` is not `2`.
   * Default `false`: what does not fit is refused. Refused beside `objects`, which are written as they were read.
   */
  fit?: boolean | undefined
}
