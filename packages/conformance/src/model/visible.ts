/** Control characters except tab and newline, direction marks, and noncharacters. */
const UNSEEN = /(?![\n\t])\p{Cc}|[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/gu

/**
 * Makes text of a service safe to print: escapes characters that are invisible, move the cursor or change the
 * reading direction. Newlines and tabs are kept.
 *
 * @example
 * visible('\u001b[2Jgone') // '\\u001b[2Jgone'
 */
export function visible(text: string): string {
  return text.toWellFormed().replace(UNSEEN, codeOf)
}

/** `visible`, on one line. */
export function oneLine(text: string): string {
  return visible(text.replace(/\s+/g, ' ').trim())
}

function codeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
