import type { Pattern, Range } from './pattern.ts'

/** Decides at each choice of a pattern. */
interface Chooser {
  times(min: number, max: number): number
  branch(count: number): number
  character(ranges: readonly Range[]): string
}

/** Limits unbounded repetitions. */
const MAX_REPEATS = 24
/** Longer strings are not generated. */
export const MAX_LENGTH = 100_000

/** A short match: the fewest repetitions and the first branches. */
export function shortestString(pattern: Pattern): string {
  return stringBy(pattern, { times: (min) => min, branch: () => 0, character: first })
}

/** Matches at the limits: most repetitions, each branch, both ends of character classes. */
export function edgeStrings(pattern: Pattern): string[] {
  const branches = Array.from({ length: 6 }, (_, i) => (count: number) => i % count)
  const least = (min: number) => min
  const texts = branches.flatMap((branch) => [
    stringBy(pattern, { times: least, branch, character: first }),
    stringBy(pattern, { times: most, branch, character: first }),
    stringBy(pattern, { times: most, branch, character: last }),
  ])
  return [...new Set(texts)]
}

/** A random match. `draw` returns an integer from 0 to one less than its argument. */
export function randomString(pattern: Pattern, draw: (count: number) => number): string {
  return stringBy(pattern, {
    times: (min, max) => min + draw(Math.min(max, min + MAX_REPEATS) - min + 1),
    branch: draw,
    character: (ranges) => nth(ranges, draw(sizeOf(ranges))),
  })
}

/** A match of the given length, found without backtracking; undefined if there is none. */
export function stringOfLength(pattern: Pattern, length: number): string | undefined {
  if (length > MAX_LENGTH) return undefined
  if (pattern.kind === 'character') return length === 1 ? first(pattern.ranges) : undefined
  if (pattern.kind === 'choice') return firstOf(pattern.branches, (branch) => stringOfLength(branch, length))
  if (pattern.kind === 'sequence') return sequenceOfLength(pattern.parts, length)
  const { of, min, max } = pattern
  const [least, longest] = lengthsOf(of)
  const count = Math.min(max, Math.max(min, Math.ceil(length / Math.max(longest, 1))))
  if (count === 0 || least * count > length) return count === 0 && length === 0 ? '' : undefined
  return sequenceOfLength(
    Array.from({ length: count }, () => of),
    length,
  )
}

/** Each part takes as much as the minimum of the later parts allows. */
function sequenceOfLength(parts: readonly Pattern[], length: number): string | undefined {
  const lengths = parts.map(lengthsOf)
  let text = ''
  let left = length
  for (const [i, part] of parts.entries()) {
    const after = lengths.slice(i + 1)
    const least = after.reduce((sum, [min]) => sum + min, 0)
    const longest = lengths[i]?.[1] ?? 0
    const own = stringOfLength(part, Math.min(longest, left - least))
    if (own === undefined) return undefined
    text += own
    left -= [...own].length
  }
  return left === 0 ? text : undefined
}

function lengthsOf(pattern: Pattern): readonly [min: number, max: number] {
  if (pattern.kind === 'character') return [1, 1]
  if (pattern.kind === 'repeat') {
    const [min, max] = lengthsOf(pattern.of)
    return [min * pattern.min, max === 0 ? 0 : max * pattern.max]
  }
  const lengths = (pattern.kind === 'choice' ? pattern.branches : pattern.parts).map(lengthsOf)
  if (pattern.kind === 'sequence')
    return [sum(lengths.map(([min]) => min)), sum(lengths.map(([, max]) => max))]
  return [Math.min(...lengths.map(([min]) => min)), Math.max(...lengths.map(([, max]) => max))]
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0)
}

function firstOf<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

function stringBy(pattern: Pattern, choose: Chooser): string {
  if (pattern.kind === 'character') return choose.character(pattern.ranges)
  if (pattern.kind === 'sequence') return pattern.parts.map((part) => stringBy(part, choose)).join('')
  if (pattern.kind === 'choice') {
    const branch = pattern.branches[choose.branch(pattern.branches.length)]
    return branch ? stringBy(branch, choose) : ''
  }
  const count = choose.times(pattern.min, pattern.max)
  return Array.from({ length: count }, () => stringBy(pattern.of, choose)).join('')
}

function most(min: number, max: number): number {
  return Number.isFinite(max) ? max : min + MAX_REPEATS
}

/** Prefers a digit or a letter. */
function first(ranges: readonly Range[]): string {
  for (const plain of ['1', 'a', 'A', '0']) {
    const point = plain.codePointAt(0) ?? 0
    if (ranges.some(([from, to]) => from <= point && point <= to)) return plain
  }
  return nth(ranges, 0)
}

function last(ranges: readonly Range[]): string {
  return nth(ranges, sizeOf(ranges) - 1)
}

function sizeOf(ranges: readonly Range[]): number {
  return sum(ranges.map(([from, to]) => to - from + 1))
}

function nth(ranges: readonly Range[], index: number): string {
  let left = index
  for (const [from, to] of ranges) {
    if (left <= to - from) return String.fromCodePoint(from + left)
    left -= to - from + 1
  }
  return ''
}
