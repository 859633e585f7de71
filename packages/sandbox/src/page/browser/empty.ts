import { h } from './element.ts'

/** What to do where there is nothing to see yet; pieces in backquotes are code. */
export function empty(text: string): HTMLElement {
  const pieces = text.split('`').map((piece, i) => (i % 2 === 1 ? h('code', {}, piece) : piece))
  return h('p', { class: 'empty' }, ...pieces)
}
