import { styleText } from 'node:util'

/** Marks text of a terminal. */
export type Style = (format: Parameters<typeof styleText>[0], text: string) => string

/** Marks text, or leaves it as it is where colours are not wanted. */
export function styleOf(color: boolean): Style {
  return color ? (format, text) => styleText(format, text, { validateStream: false }) : (_, text) => text
}

/** Text in lines of at most `width` characters, each after `indent`. A word that is longer stays whole. */
export function wrap(text: string, width: number, indent: string): string {
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
