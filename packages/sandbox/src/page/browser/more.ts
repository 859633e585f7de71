import { h } from './element.ts'

const expanded = new Set<string>()

/** The lists that the user expanded. */
export const expandedLists = () => [...expanded].join(' ')

export function expand(list: string): void {
  expanded.add(list)
}

/** The first rows of a list, and a button for the others. The page scrolls as a whole, so lists have no scroll bars. */
export function firstOf<T>(
  list: string,
  rows: readonly T[],
  most: number,
): { shown: readonly T[]; more: HTMLElement | false } {
  if (rows.length <= most || expanded.has(list)) return { shown: rows, more: false }
  const attributes = { type: 'button', class: 'more', 'data-action': 'more', 'data-list': list }
  return { shown: rows.slice(0, most), more: h('button', attributes, `Show all ${rows.length} ${list}`) }
}
