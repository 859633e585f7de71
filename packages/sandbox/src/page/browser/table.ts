import { h } from './element.ts'

export interface Row {
  readonly key: string
  /** One for each column; the first names the row. */
  readonly cells: readonly (Node | string)[]
}

export interface TableOptions {
  readonly caption: string
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
}

/**
 * A table. Where it is narrow its rows are drawn as cards, and a browser that draws a table as
 * something else forgets that it is one: hence the roles.
 */
export function table({ caption, columns, rows }: TableOptions): HTMLElement {
  const heads = columns.map((name) => h('th', { role: 'columnheader', scope: 'col' }, name))
  return h(
    'div',
    { class: 'list' },
    h(
      'table',
      { role: 'table' },
      h('caption', {}, caption),
      h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, ...heads)),
      h('tbody', { role: 'rowgroup' }, ...rows.map((row) => rowOf(row, columns))),
    ),
  )
}

function rowOf({ key, cells }: Row, columns: readonly string[]): HTMLElement {
  const drawn = cells.map((cell, i) => {
    const label = { 'data-label': columns[i] ?? '' }
    return i === 0
      ? h('th', { role: 'rowheader', scope: 'row', ...label }, cell)
      : h('td', { role: 'cell', ...label }, cell)
  })
  return h('tr', { role: 'row', 'data-key': key }, ...drawn)
}
