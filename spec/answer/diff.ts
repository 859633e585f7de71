/** Lines around a change. */
const AROUND = 2

/** The difference of files as a unified diff; empty if there is none. */
export function diffOf(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string {
  const parts: string[] = []
  for (const [name, text] of after) {
    const old = before.get(name) ?? ''
    if (old !== text) parts.push(`--- spec/${name}\n+++ spec/${name}\n${hunksOf(old, text)}`)
  }
  return parts.join('')
}

interface Line {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
  /** Numbers in the old and in the new file, from 1. */
  readonly at: readonly [number, number]
}

function hunksOf(old: string, text: string): string {
  const lines = linesOf(old.split('\n'), text.split('\n'))
  const changed = lines.flatMap(({ sign }, i) => (sign === ' ' ? [] : [i]))
  const isShown = (i: number) => changed.some((at) => Math.abs(at - i) <= AROUND)

  let shown = ''
  for (const [i, line] of lines.entries()) {
    if (!isShown(i)) continue
    if (!isShown(i - 1)) shown += `@@ -${line.at[0]} +${line.at[1]} @@\n`
    shown += `${line.sign}${line.text}\n`
  }
  return shown
}

/** The lines of both texts, by their longest common subsequence. */
function linesOf(old: readonly string[], next: readonly string[]): Line[] {
  const lengths = lengthsOf(old, next)
  const lines: Line[] = []
  let i = 0
  let j = 0
  while (i < old.length || j < next.length) {
    const at: [number, number] = [i + 1, j + 1]
    const isSame = i < old.length && j < next.length && old[i] === next[j]
    const isRemoved = i < old.length && (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0)
    if (isSame) lines.push({ sign: ' ', text: old[i++] ?? '', at })
    else if (isRemoved) lines.push({ sign: '-', text: old[i] ?? '', at })
    else lines.push({ sign: '+', text: next[j] ?? '', at })

    if (isSame) j++
    else if (isRemoved) i++
    else j++
  }
  return lines
}

/** The lengths of the longest common subsequences from each pair of lines on. */
function lengthsOf(old: readonly string[], next: readonly string[]): number[][] {
  const lengths = Array.from({ length: old.length + 1 }, () =>
    Array<number>(next.length + 1).fill(0),
  )
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = next.length - 1; j >= 0; j--) {
      const row = lengths[i] as number[]
      const below = lengths[i + 1] as number[]
      const isSame = old[i] === next[j]
      row[j] = isSame ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0)
    }
  }
  return lengths
}
