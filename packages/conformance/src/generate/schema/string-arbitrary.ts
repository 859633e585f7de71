import fc from 'fast-check'
import { type Pattern, readPattern, regExpOf } from './pattern.ts'

/** Limits unbounded repetitions. */
const MAX_REPEATS = 12

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCXYZ0123456789 .,-_/@+:'
/** Multi-byte, surrogate pair, combining, right-to-left, and escaped in JSON. U+0000 is left out. */
const OTHERS = ['é', 'ç', 'Ã', '支', '😀', '\u0301', 'ש', '"', '\\', '\n', '\u00a0', '<', '&', "'", '%']

const character = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...PLAIN) },
  { weight: 1, arbitrary: fc.constantFrom(...OTHERS) },
)

/** Strings without a pattern; lengths count characters. */
export function plainString(length: {
  readonly minLength: number
  readonly maxLength: number
}): fc.Arbitrary<string> {
  return fc.array(character, length).map((characters) => characters.join(''))
}

/** Strings that match a pattern; undefined if its syntax is not supported. */
export function matchingArbitrary(pattern: string): fc.Arbitrary<string> | undefined {
  const read = readPattern(pattern)
  const regExp = regExpOf(pattern)
  if (!read) return undefined
  const texts = arbitraryOf(read)
  const right = fc.sample(texts, { seed: 1, numRuns: 20 }).filter((text) => regExp.test(text))
  return right.length > 0 ? texts.filter((text) => regExp.test(text)) : undefined
}

function arbitraryOf(pattern: Pattern): fc.Arbitrary<string> {
  if (pattern.kind === 'choice')
    return fc.oneof({ withCrossShrink: true }, ...pattern.branches.map(arbitraryOf))
  if (pattern.kind === 'sequence')
    return fc.tuple(...pattern.parts.map(arbitraryOf)).map((texts) => texts.join(''))
  if (pattern.kind === 'repeat') {
    const { of, min, max } = pattern
    return fc
      .array(arbitraryOf(of), { minLength: min, maxLength: Math.min(max, min + MAX_REPEATS), size: 'max' })
      .map((texts) => texts.join(''))
  }
  const ranges = pattern.ranges.map(([first, last]) => fc.integer({ min: first, max: last }))
  return fc.oneof(...ranges).map((point) => String.fromCodePoint(point))
}

const DAYS = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })

/** Formats with more values than `FORMATS` lists. */
export function formatArbitrary(format: string): fc.Arbitrary<string> | undefined {
  if (format === 'date') return DAYS.map((day) => day.toISOString().slice(0, 10))
  if (format === 'date-time') return DAYS.map((day) => day.toISOString().replace('.000Z', 'Z'))
  return format === 'uuid' ? fc.uuid() : undefined
}
