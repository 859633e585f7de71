import { fourHex } from './digits.ts'

/** Control characters, line and direction marks, and characters without width. */
const HIDDEN = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu

/**
 * Escapes what a code may contain and a terminal would obey, such as `\u001B`, because the text of
 * an error is printed.
 */
export function escapeHidden(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u${fourHex(character.charCodeAt(0))}`)
}
