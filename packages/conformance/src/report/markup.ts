import { oneLine, visible } from './text.ts'

/** Escaped HTML. Only `markup` and `raw` create it. */
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
  return { html: template.map((text, index) => text + htmlOf(parts[index])).join('') }
}

/** An element id that needs no escaping. */
export function elementId(kind: 'rule' | 'finding', id: string): string {
  return `${kind}-${oneLine(id).replace(/[^\w:.-]+/g, '-')}`
}

/** For HTML, CSS or JavaScript of this package only, never for text of a service. */
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
