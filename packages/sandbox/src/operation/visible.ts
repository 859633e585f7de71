/** Control characters, line and direction marks, and characters without width. */
const HIDDEN = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/gu

/** Makes one line of text safe to print: escapes characters that control a terminal, as JSON escapes them. */
export function visible(text: string): string {
  return text.toWellFormed().replace(HIDDEN, (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
