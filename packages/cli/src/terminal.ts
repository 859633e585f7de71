/** Control characters, line and direction marks, and characters without width. */
const HIDDEN = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/gu

/**
 * Makes text from outside safe to print: escapes characters that move the cursor, begin a line, or change the reading
 * direction.
 *
 * @example
 * visible('\u001b[2Jgone\n') // '\\u001b[2Jgone\\u000a'
 */
export function visible(text: unknown): string {
  return String(text).toWellFormed().replace(HIDDEN, codeOf)
}

/** JSON escapes fewer characters than `visible`, in the same way. */
export function visibleJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).split('\n').map(visible).join('\n')
}

/** Writes to stdout, which programs read. */
export function write(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Writes to stderr. */
export function report(text: string): void {
  process.stderr.write(`${text}\n`)
}

function codeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
