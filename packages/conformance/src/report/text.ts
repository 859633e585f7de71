import { visible as visibleText } from '@partner-payments/contract'

/**
 * Makes text of a service safe to print: escapes characters that are invisible, move the cursor or
 * change the reading direction. Newlines and tabs are kept.
 */
export function visible(text: string): string {
  return visibleText(text, '\n\t')
}

/** `visible`, on one line. */
export function oneLine(text: string): string {
  return visible(text.replace(/\s+/g, ' ').trim())
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

/** Breaks text into lines of at most `width` characters with the indent. Longer words are not split. */
export function wrap(text: string, width: number, indent = ''): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line ? `${line} ${word}` : word
    const isFirstWord = line === ''
    if (isFirstWord || indent.length + longer.length <= width) {
      line = longer
      continue
    }
    lines.push(line)
    line = word
  }
  lines.push(line)
  return lines.map((wrapped) => indent + wrapped).join('\n')
}

/** Escaped HTML or XML. Only `markup` and `raw` create it. */
export interface Markup {
  readonly html: string
}

type Part = string | number | undefined | Markup | readonly Markup[]

/**
 * A template tag that escapes its values, except markup.
 *
 * @example
 * markup`<p>${'<script>'}</p>`.html // '<p>&lt;script&gt;</p>'
 */
export function markup(template: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { html: template.map((text, index) => text + toHtml(parts[index])).join('') }
}

/** For HTML, CSS or JavaScript of this package only, never for text of a service. */
export function raw(html: string): Markup {
  return { html }
}

function toHtml(part: Part): string {
  if (part === undefined) return ''
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part))
  return 'html' in part ? part.html : part.map(({ html }) => html).join('')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
