/** Lines around a change. */
const AROUND = 2

/**
 * The differences between files as a unified diff; empty if there are none. Files are texts by
 * their names in `spec/`.
 */
export function createDiff(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string {
  const parts: string[] = []
  for (const [name, text] of after) {
    const old = before.get(name) ?? ''
    if (old !== text) parts.push(`--- spec/${name}\n+++ spec/${name}\n${writeHunks(old, text)}`)
  }
  return parts.join('')
}

interface Line {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
  /** Numbers in the old and in the new file, from 1. */
  readonly at: readonly [number, number]
}

/**
 * The hunks of a unified diff: the changed lines with some unchanged ones around them, each group
 * below a line such as `@@ -12 +12 @@`.
 */
function writeHunks(old: string, text: string): string {
  const lines = compareLines(old.split('\n'), text.split('\n'))
  // Whether a line has changed, or is near one that has.
  const isShown = (index: number) => {
    const nearLines = lines.slice(Math.max(0, index - AROUND), index + AROUND + 1)
    return nearLines.some(({ sign }) => sign !== ' ')
  }

  let hunks = ''
  for (const [index, { sign, text: line, at }] of lines.entries()) {
    if (!isShown(index)) continue
    const [oldNumber, newNumber] = at
    const isFirstOfHunk = index === 0 || !isShown(index - 1)
    if (isFirstOfHunk) hunks += `@@ -${oldNumber} +${newNumber} @@\n`
    hunks += `${sign}${line}\n`
  }
  return hunks
}

/**
 * The lines of both texts in one list, each with a sign: ` ` if both have it, `-` if it was
 * removed, `+` if it was added. `at` are its line numbers in both texts.
 */
function compareLines(old: readonly string[], next: readonly string[]): Line[] {
  const counts = countCommonLines(old, next)
  const commonFrom = (i: number, j: number) => counts[i]?.[j] ?? 0
  const lines: Line[] = []
  let i = 0
  let j = 0
  while (i < old.length || j < next.length) {
    const at: [number, number] = [i + 1, j + 1]
    const isOldLeft = i < old.length
    const isSame = isOldLeft && j < next.length && old[i] === next[j]
    if (isSame) {
      lines.push({ sign: ' ', text: old[i] ?? '', at })
      i++
      j++
      continue
    }

    // One of the two lines has no partner: the one without which the remaining lines have more in
    // common.
    const isRemoved = isOldLeft && commonFrom(i + 1, j) >= commonFrom(i, j + 1)
    if (isRemoved) {
      lines.push({ sign: '-', text: old[i] ?? '', at })
      i++
    } else {
      lines.push({ sign: '+', text: next[j] ?? '', at })
      j++
    }
  }
  return lines
}

/**
 * How many lines both texts have in common, in the same order (the longest common subsequence), from
 * each pair of lines to the end: `counts[i][j]` is that number for the old text from line i on and the
 * new one from line j on.
 */
function countCommonLines(old: readonly string[], next: readonly string[]): number[][] {
  const counts = Array.from({ length: old.length + 1 }, () =>
    Array<number>(next.length + 1).fill(0),
  )
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = next.length - 1; j >= 0; j--) {
      const row = counts[i] as number[]
      const rowBelow = counts[i + 1] as number[]
      const isSame = old[i] === next[j]
      row[j] = isSame ? (rowBelow[j + 1] ?? 0) + 1 : Math.max(rowBelow[j] ?? 0, row[j + 1] ?? 0)
    }
  }
  return counts
}
