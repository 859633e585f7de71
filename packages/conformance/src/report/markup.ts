import { oneLine, visible } from './format-text.ts'

/** HTML that is safe to put into HTML. Only `markup` and `raw` make it. */
export interface Markup {
  readonly html: string
}

type Part = string | number | undefined | Markup | readonly Markup[]

/**
 * HTML by a template: what is put in is text, unless it is markup itself.
 *
 * @example
 * markup`<p>${'<script>'}</p>`.html // '<p>&lt;script&gt;</p>'
 */
export function markup(template: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { html: template.map((text, index) => text + htmlOf(parts[index])).join('') }
}

/** The id of an element that links lead to. It needs no escaping, whatever it is made of. */
export function idOf(kind: 'rule' | 'finding', id: string): string {
  return `${kind}-${oneLine(id).replace(/[^\w:.-]+/g, '-')}`
}

/** Text of this package's own that is HTML, CSS or JavaScript. Never text of a service. */
export function raw(html: string): Markup {
  return { html }
}

function htmlOf(part: Part): string {
  if (part === undefined) return ''
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return 'html' in part ? part.html : part.map(({ html }) => html).join('')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return visible(text).replace(/[&<>"']/g, (it) => ENTITIES[it] ?? '')
}
