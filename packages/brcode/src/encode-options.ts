import type { Profile } from './decode.ts'

/**
 * Options of `encode`.
 *
 * @example
 * const options: EncodeOptions = { fit: true }
 */
export interface EncodeOptions extends Profile {
  /**
   * Converts merchant name, city and message to ASCII (`São João` becomes `Sao Joao`), and
   * truncates name and city to 25 and 15 characters. Removes the marks of Latin letters; spells
   * other letters, ordinals, curly quotes, dashes, the ellipsis and the fraction slash (`ß` as
   * `ss`, `’` as `'`); and collapses spaces. Refuses any other character by name, in both profiles,
   * because dropping it could change a number: `2½` is not `2`. Not allowed together with
   * `objects`, which are written unchanged. Default: `false`, which refuses invalid values.
   */
  fit?: boolean | undefined
}
