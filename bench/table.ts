/** One measurement: what was measured, of whom, and which way is better. */
export interface Row {
  /** `"decode a static code"`: rows of one figure are compared with each other. */
  figure: string
  /** A package and its version, or a note in brackets behind it. */
  subject: string
  value: number
  /** Empty for a count. */
  unit: string
  better: 'higher' | 'lower'
  /** Set on the row of this project. */
  ours?: true
}

/** What a file `packages/*\/bench/*.bench.ts` exports as `bench`. */
export interface Bench {
  title: string
  run: () => Promise<Row[]>
}

/** How many times better ours is than the best peer of the same figure; `undefined` without a peer, or where one of them is zero. */
export function ratioOf(rows: readonly Row[]): number | undefined {
  const ours = rows.find((row) => row.ours)
  const peers = rows.filter((row) => !row.ours).map((row) => row.value)
  if (!ours || peers.length === 0 || [ours.value, ...peers].includes(0)) return undefined
  return ours.better === 'higher' ? ours.value / Math.max(...peers) : Math.min(...peers) / ours.value
}

/** The rows as a Markdown table: one line a figure, ours first, then every peer, then the ratio. */
export function render(rows: readonly Row[]): string {
  const lines = [['figure', 'ours', 'peers', 'ratio']]
  for (const [figure, group] of byFigure(rows)) {
    const ours = group.find((row) => row.ours)
    const peers = group.filter((row) => !row.ours).map((row) => `${row.subject} ${format(row)}`)
    const ratio = ratioOf(group)
    lines.push([
      figure,
      ours ? format(ours) : '',
      peers.join(', '),
      ratio === undefined ? '' : `${ratio.toFixed(1)}x`,
    ])
  }
  return draw(lines)
}

function byFigure(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) groups.set(row.figure, [...(groups.get(row.figure) ?? []), row])
  return groups
}

function format({ value, unit }: Row): string {
  return `${value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 2 : 0 })} ${unit}`.trimEnd()
}

function draw(lines: string[][]): string {
  const widths =
    lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? []
  const pad = (line: string[]) =>
    `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  return [pad(lines[0] ?? []), rule, ...lines.slice(1).map(pad)].join('\n')
}
