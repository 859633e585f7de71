import { AIMS, type Aim } from './aims.ts'

/** One measurement with its subject and the better direction. */
export interface Row {
  /** `"decode a static code"`: rows with the same figure are compared. */
  figure: string
  /** A package with its version, or with a note in brackets. */
  subject: string
  value: number
  /** Empty for a count. */
  unit: string
  better: 'higher' | 'lower'
  /** Whether the row is of this project. */
  ours?: true
}

/** A row for each subject, of which the first is ours. More calls per second are better, and a larger share; else less is. */
export function rowsOf(figure: string, unit: string, values: Readonly<Record<string, number>>): Row[] {
  const better = /\/s$|^%$/.test(unit) ? 'higher' : 'lower'
  return Object.entries(values).map(([subject, value], i) => ({
    ...{ figure, subject, value, unit, better },
    ...(i === 0 && { ours: true }),
  }))
}

/** The `bench` export of a file `packages/*\/bench/*.bench.ts`. */
export interface Bench {
  title: string
  run: () => Promise<Row[]>
}

/** The ratio to the best peer of the same figure; `undefined` without a peer or if a value is zero. */
export function ratioOf(rows: readonly Row[]): number | undefined {
  const ours = rows.find((row) => row.ours)
  const peers = rows.filter((row) => !row.ours).map((row) => row.value)
  if (!ours || peers.length === 0 || [ours.value, ...peers].includes(0)) return undefined
  return ours.better === 'higher' ? ours.value / Math.max(...peers) : Math.min(...peers) / ours.value
}

/**
 * The rows as a Markdown table: one line per figure with our value, every peer, the ratio and the aim. Below it, the known
 * causes of the figures that do not reach their aim.
 */
export function render(rows: readonly Row[], aims: readonly Aim[] = AIMS): string {
  const lines = [['figure', 'ours', 'peers', 'ratio', 'aim', 'reached']]
  const causes: string[] = []
  for (const [figure, group] of Map.groupBy(rows, (row) => row.figure)) {
    const ours = group.find((row) => row.ours)
    const peers = group.filter((row) => !row.ours).map((row) => `${row.subject} ${format(row)}`)
    const ratio = ratioOf(group)
    const aim = aims.find((it) => it.figure.test(figure))
    const { text, isReached } = judged(aim, ours, ratio)
    if (aim?.cause && isReached === false) causes.push(`- ${figure}: ${aim.cause}.`)
    const shownRatio = ratio === undefined ? '' : times(ratio)
    const reached = isReached === undefined ? '' : isReached ? 'yes' : 'no'
    lines.push([figure, ours ? format(ours) : '', peers.join(', '), shownRatio, text, reached])
  }
  return [draw(lines), ...(causes.length > 0 ? ['', 'Not reached:', ...causes] : [])].join('\n')
}

/** An aim as text, and whether our row reaches it; undefined without a figure to compare. */
function judged(aim: Aim | undefined, ours: Row | undefined, ratio: number | undefined) {
  if (aim?.ratio !== undefined)
    return { text: times(aim.ratio), isReached: ratio === undefined ? undefined : ratio >= aim.ratio }
  if (aim?.value === undefined || !ours) return { text: '' }
  const isReached = ours.better === 'lower' ? ours.value <= aim.value : ours.value >= aim.value
  return { text: format({ ...ours, value: aim.value }), isReached }
}

function times(ratio: number): string {
  return `${ratio.toFixed(ratio < 10 ? 2 : 1)}x`
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
