import { seededRandom } from '../seeded-random.ts'
import { FORMATS } from './formats.ts'
import { numbersOf } from './parts.ts'
import { readPattern, regExpOf } from './pattern.ts'
import { edgeStrings, randomString, shortestString, stringOfLength } from './pattern-strings.ts'
import { keywordOf, type Place } from './place.ts'

/** Lengths count characters, not code units. */
export interface StringRules {
  readonly min: number
  readonly max: number
  readonly patterns: readonly string[]
  readonly formats: readonly string[]
}

/** The tightest limits of all schemas. */
export function stringRulesOf(parts: readonly Place[]): StringRules {
  const all = (keyword: string) => parts.map((part) => keywordOf(part, keyword))
  const isText = (value: unknown) => typeof value === 'string'
  return {
    min: Math.max(0, ...numbersOf(parts, 'minLength')),
    max: Math.min(Infinity, ...numbersOf(parts, 'maxLength')),
    patterns: [...new Set(all('pattern').filter(isText))],
    formats: [...new Set(all('format').filter(isText))],
  }
}

/** Candidates, the plainest first and the empty string last. */
export function* validStrings(rules: StringRules): Generator<string> {
  const { min, max, patterns, formats } = rules
  for (const format of formats) yield* FORMATS[format]?.valid ?? []
  for (const pattern of patterns) yield* matchingStrings(pattern, rules)
  const length = Math.min(max, Math.max(min, 1))
  for (const letter of 'abcdefghijklmnopqrstuvwxyz0123456789') yield letter.repeat(length)
  for (let more = 1; more <= 100 && length + more <= max; more++) yield 'a'.repeat(length + more)
  yield ''
}

/** Attempts at a pattern with assertions, which only the expression itself can test. */
const TRIES = 200

/** Strings that match a pattern, tested with the expression itself. */
export function* matchingStrings(pattern: string, { min, max }: StringRules): Generator<string> {
  const read = readPattern(pattern)
  if (!read) return
  const regExp = regExpOf(pattern)
  const texts = [
    shortestString(read),
    stringOfLength(read, min),
    ...edgeStrings(read),
    stringOfLength(read, max),
  ]
  for (const text of texts) if (text !== undefined && regExp.test(text)) yield text
  const draw = draws(pattern)
  for (let i = 0; i < TRIES; i++) {
    const text = randomString(read, draw)
    if (regExp.test(text)) yield text
  }
}

export function take<T>(made: Iterable<T>, count: number): T[] {
  const found: T[] = []
  for (const it of made) {
    found.push(it)
    if (found.length === count) break
  }
  return found
}

/** Deterministic for each pattern. */
function draws(pattern: string): (count: number) => number {
  const random = seededRandom(
    [...pattern].reduce((sum, it) => Math.imul(sum, 31) + (it.codePointAt(0) ?? 0), 7),
  )
  return (count) => Math.floor(random() * count)
}
