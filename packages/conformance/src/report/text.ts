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

/** Truncates with an ellipsis. */
export function atMost(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`
}

/** `1 case`, `2 cases`, `1,204 cases`. */
export function count(amount: number, one: string): string {
  return `${number(amount)} ${one}${amount === 1 ? '' : 's'}`
}

/** `12,345`. */
export function number(amount: number): string {
  return amount.toLocaleString('en-US')
}

/** `8.1 s`, `420 ms`. */
export function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

/** Wraps text at `width` characters. Longer words are not split. */
export function wrap(text: string, width: number, indent = ''): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line && indent.length + line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line ? `${line} ${word}` : word
  }
  return [...lines, line].map((it) => indent + it).join('\n')
}
