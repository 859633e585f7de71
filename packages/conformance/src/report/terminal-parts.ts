import type { Locate } from './locate.ts'
import { type Style, wrap } from './style.ts'
import { oneLine } from './text.ts'

/** What the sections of a terminal's report are given. */
export interface Terminal {
  readonly style: Style
  readonly width: number
  readonly locate: Locate | undefined
  readonly limit: number
  readonly verbose: boolean
  /** Whether the run was about a part alone. */
  readonly isPart: boolean
  /** The file of the HTML report. */
  readonly html: string | undefined
}

export type Row = readonly [name: string, text: string]

/** The title of a section. */
export function heading(text: string, { style }: Terminal): string {
  return style(['bold', 'underline'], text)
}

/** Names in one column, text in the other; below each other where the terminal is narrow. Empty without rows. */
export function list(title: string, rows: readonly Row[], terminal: Terminal): string {
  if (rows.length === 0) return ''
  const safe = rows.map(([name, text]): Row => [oneLine(name), oneLine(text)])
  const column = Math.max(...safe.map(([name]) => name.length)) + 4
  const row = column + 20 > terminal.width ? narrowRow : wideRow(column)
  return [heading(title, terminal), ...safe.map((it) => row(it, terminal.width))].join('\n')
}

function narrowRow([name, text]: Row, width: number): string {
  return `  ${name}\n${wrap(text, width, '    ')}`
}

function wideRow(column: number) {
  return ([name, text]: Row, width: number) =>
    `  ${name.padEnd(column - 2)}${wrap(text, width, ' '.repeat(column)).trimStart()}`
}
