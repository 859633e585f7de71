import type { Pattern, Range } from './pattern.ts'

/** How a text is chosen among those that match. */
interface Chooser {
  times(min: number, max: number): number
  branch(count: number): number
  character(ranges: readonly Range[]): string
}

/** How often what may be repeated without end is repeated, at most. */
const MAX_REPEATS = 24
/** Texts that are longer are not made. */
export const MAX_LENGTH = 100_000

/** A short text by a pattern: the fewest repetitions, the first branches. */
export function shortestString(pattern: Pattern): string {
  return stringBy(pattern, { times: (min) => min, branch: () => 0, character: first })
}

/** Texts at the edges of a pattern: the most repetitions, each of its branches, both ends of its classes. */
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

/** A text by a pattern whose every choice is a draw: a whole number from 0 to one less than what is given. */
export function randomString(pattern: Pattern, draw: (count: number) => number): string {
  return stringBy(pattern, {
    times: (min, max) => min + draw(Math.min(max, min + MAX_REPEATS) - min + 1),
    branch: draw,
    character: (ranges) => nth(ranges, draw(sizeOf(ranges))),
  })
}

/** A text of as many characters by a pattern; undefined where it has none that is found in one go. */
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

/** Each part takes as much as the parts after it leave. */
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

/** The plainest character of a class: a digit or a letter, if it has one. */
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
