import { h } from './element.ts'

/** A hint for an empty list. Backquotes mark code. */
export function empty(text: string): HTMLElement {
  const pieces = text.split('`').map((piece, i) => (i % 2 === 1 ? h('code', {}, piece) : piece))
  return h('p', { class: 'empty' }, ...pieces)
}
