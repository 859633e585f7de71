import { isRow, type Row, ratioOf, shownRatio, shownValue } from './table.ts'

/**
 * A row that lost more than this share of its value is named. Quiet runs of the same code differ by
 * less.
 */
const LOSS_LIMIT = 0.15

/** What became of the figures of an earlier run. */
export interface Comparison {
  /** How many figures both runs have. */
  readonly compared: number
  /** One line for each figure that lost more than {@link LOSS_LIMIT}. */
  readonly lost: readonly string[]
  /** The figures that only the earlier run has. */
  readonly missing: readonly string[]
}

/**
 * Compares our values with those of an earlier run on the same machine.
 *
 * A slower machine makes peers slower too. So each line also shows the ratio to the best peer in
 * both runs: if it is the same, the machine changed rather than the code.
 */
export function compareRuns(earlier: readonly Row[], now: readonly Row[]): Comparison {
  const nowByFigure = Map.groupBy(now, ({ figure }) => figure)
  const lost: string[] = []
  const missing: string[] = []
  let compared = 0

  for (const [figure, rowsBefore] of Map.groupBy(earlier, ({ figure }) => figure)) {
    const before = rowsBefore.find((row) => row.ours)
    if (!before) continue

    const rowsNow = nowByFigure.get(figure) ?? []
    const after = rowsNow.find((row) => row.ours)
    if (!after) {
      missing.push(figure)
      continue
    }

    compared++
    const loss = lossBetween(before, after)
    if (loss > LOSS_LIMIT) {
      const change = `${shownValue(before)} -> ${shownValue(after)}, ${percent(loss)} worse`
      lost.push(`${figure}: ${change}${shownRatios(rowsBefore, rowsNow)}`)
    }
  }
  return { compared, lost, missing }
}

/**
 * The comparison as text for people: how many figures were compared, and a line for each that got
 * worse.
 */
export function renderComparison({ compared, lost, missing }: Comparison): string {
  const lines = [
    `${compared} figures compared, ${lost.length} lost more than ${percent(LOSS_LIMIT)}.`,
  ]
  for (const line of lost) lines.push(`- ${line}`)
  if (missing.length > 0) lines.push(`Not measured in this run: ${missing.join('; ')}.`)
  return lines.join('\n')
}

/** The rows that `bench --json` printed, from its text. Throws if it is something else. */
export function parseRun(text: string): Row[] {
  const rows: unknown = JSON.parse(text)
  if (!Array.isArray(rows))
    throw new Error('expected an array of rows, as "bench --json" prints them')
  const invalid = rows.findIndex((row) => !isRow(row))
  if (invalid >= 0) throw new Error(`row ${invalid} is not a row of "bench --json"`)
  return rows
}

/** How much worse the later value is, as a share of the earlier one; negative if it is better. */
function lossBetween(before: Row, after: Row): number {
  if (before.better === 'higher') return (before.value - after.value) / before.value
  // A count of failures may have been zero.
  if (before.value === 0) return after.value === 0 ? 0 : Number.POSITIVE_INFINITY
  return (after.value - before.value) / before.value
}

function shownRatios(before: readonly Row[], after: readonly Row[]): string {
  const ratioBefore = ratioOf(before)
  const ratioAfter = ratioOf(after)
  if (ratioBefore === undefined || ratioAfter === undefined) return ''
  return ` (beside the best peer ${shownRatio(ratioBefore)} -> ${shownRatio(ratioAfter)})`
}

function percent(share: number): string {
  return Number.isFinite(share) ? `${Math.round(share * 100)} %` : 'infinitely'
}
