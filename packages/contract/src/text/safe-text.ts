import { withoutCommands } from './commands.ts'

/** Control characters, line and direction marks, characters without width, and tags. */
const HIDDEN =
  /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff\u{e0000}-\u{e007f}]/gu

/**
 * Makes text from outside safe to print: escapes characters that move the cursor, begin a line, or
 * change the reading direction, as JSON escapes them, and breaks commands to the log of a CI job.
 *
 * @param kept characters that stay as they are
 * @example
 * visible('\u001b[2Jgone\n') // '\\u001b[2Jgone\\u000a'
 */
export function visible(text: unknown, kept = ''): string {
  const wellFormed = String(text).toWellFormed()
  const escaped = wellFormed.replace(HIDDEN, (character) =>
    kept.includes(character) ? character : escapeCharacter(character),
  )
  return withoutCommands(escaped)
}

/** The escape of a character in JSON, such as `\\u001b`, or two of them above U+FFFF. */
function escapeCharacter(character: string): string {
  const units = character.split('')
  return units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
}

/** The message of anything that was thrown, safe to print. */
export function messageOf(error: unknown): string {
  return visible(error instanceof Error ? error.message : error)
}
