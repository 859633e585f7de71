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

/**
 * A row of the table for each subject of one figure. The first subject is ours.
 *
 * @param figure What was measured, such as `sign a delivery`.
 * @param values The values by subject.
 */
export function rowsOf(
  figure: string,
  unit: string,
  values: Readonly<Record<string, number>>,
): Row[] {
  // Calls per second and shares: more is better. Times and sizes: less is.
  const isHigherBetter = unit.endsWith('/s') || unit === '%'
  const better = isHigherBetter ? 'higher' : 'lower'
  return Object.entries(values).map(([subject, value], index) => {
    const row: Row = { figure, subject, value, unit, better }
    return index === 0 ? { ...row, ours: true } : row
  })
}

/** The `bench` export of a file `packages/*\/bench/*.bench.ts`. */
export interface Bench {
  title: string
  run: () => Promise<Row[]>
}

/**
 * Our value compared with that of the best peer of the same figure: above 1, ours is better.
 * Undefined without a peer, or if a value is zero.
 */
export function ratioOf(rows: readonly Row[]): number | undefined {
  const ours = rows.find((row) => row.ours)
  const peers = rows.filter((row) => !row.ours).map((row) => row.value)
  if (!ours || peers.length === 0) return undefined
  if (ours.value === 0 || peers.includes(0)) return undefined

  if (ours.better === 'higher') return ours.value / Math.max(...peers)
  return Math.min(...peers) / ours.value
}

/**
 * Whether a value from a file is a row: what was measured (`figure`) of which program (`subject`).
 */
export function isRow(value: unknown): value is Row {
  if (typeof value !== 'object' || value === null) return false
  const { figure, subject, value: measured, unit, better } = value as Partial<Row>
  return (
    typeof figure === 'string' &&
    typeof subject === 'string' &&
    typeof measured === 'number' &&
    typeof unit === 'string' &&
    (better === 'higher' || better === 'lower')
  )
}

/**
 * The rows as a Markdown table: one line per figure with our value, every peer, the ratio and the
 * aim. Below it, the known causes of the figures that do not reach their aim.
 */
export function render(rows: readonly Row[], aims: readonly Aim[] = AIMS): string {
  const lines = [['figure', 'ours', 'peers', 'ratio', 'aim', 'reached']]
  const causes: string[] = []
  for (const [figure, rowsOfFigure] of Map.groupBy(rows, (row) => row.figure)) {
    const aim = aims.find((candidate) => candidate.figure.test(figure))
    const reached = judgeAim(aim, rowsOfFigure)
    lines.push([figure, ...describeFigure(rowsOfFigure, aim), reached])
    if (reached === 'no' && aim?.cause) causes.push(`- ${figure}: ${aim.cause}.`)
  }

  const table = drawTable(lines)
  if (causes.length === 0) return table
  return [table, '', 'Not reached:', ...causes].join('\n')
}

/** The cells of a figure: our value, every peer, the ratio and the aim. */
function describeFigure(rows: readonly Row[], aim: Aim | undefined): string[] {
  const ours = rows.find((row) => row.ours)
  const peers = rows.filter((row) => !row.ours)
  const ratio = ratioOf(rows)
  return [
    ours ? shownValue(ours) : '',
    peers.map((row) => `${row.subject} ${shownValue(row)}`).join(', '),
    ratio === undefined ? '' : shownRatio(ratio),
    describeAim(aim, ours),
  ]
}

/**
 * Whether a figure reaches its aim, such as twice the speed of the best peer. Empty if it has no
 * aim, or nothing to compare with it.
 */
function judgeAim(aim: Aim | undefined, rows: readonly Row[]): 'yes' | 'no' | '' {
  if (aim?.ratio !== undefined) {
    const ratio = ratioOf(rows)
    if (ratio === undefined) return ''
    return ratio >= aim.ratio ? 'yes' : 'no'
  }

  const ours = rows.find((row) => row.ours)
  if (aim?.value === undefined || !ours) return ''
  const isReached = ours.better === 'lower' ? ours.value <= aim.value : ours.value >= aim.value
  return isReached ? 'yes' : 'no'
}

function describeAim(aim: Aim | undefined, ours: Row | undefined): string {
  if (aim?.ratio !== undefined) return shownRatio(aim.ratio)
  if (aim?.value === undefined || !ours) return ''
  return shownValue({ ...ours, value: aim.value })
}

/** A ratio as text: `0.52x`, `12.3x`. */
export function shownRatio(ratio: number): string {
  return `${ratio.toFixed(ratio < 10 ? 2 : 1)}x`
}

/** A value with its unit: `2.35 kB`, `1,235 ops/s`. */
export function shownValue({ value, unit }: Row): string {
  const digits = { maximumFractionDigits: value < 10 ? 2 : 0 }
  return `${value.toLocaleString('en-US', digits)} ${unit}`.trimEnd()
}

/** Lines of cells as a table of Markdown, whose columns are aligned. */
function drawTable(lines: readonly (readonly string[])[]): string {
  const [header = [], ...body] = lines
  const widths = header.map((_, column) => measureColumn(lines, column))
  const drawLine = (line: readonly string[]) => {
    const cells = line.map((cell, column) => cell.padEnd(widths[column] ?? 0))
    return `| ${cells.join(' | ')} |`
  }
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  return [drawLine(header), rule, ...body.map(drawLine)].join('\n')
}

function measureColumn(lines: readonly (readonly string[])[], column: number): number {
  return Math.max(...lines.map((line) => line[column]?.length ?? 0))
}
