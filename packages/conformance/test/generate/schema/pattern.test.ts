import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readPattern, regExpOf } from '../../../src/generate/schema/pattern.ts'
import {
  edgeStrings,
  randomString,
  shortestString,
  stringOfLength,
} from '../../../src/generate/schema/pattern-strings.ts'
import { matchingArbitrary } from '../../../src/generate/schema/string-arbitrary.ts'

const PATTERNS = [
  '^[0-9]+$',
  '^[A-Za-z0-9._~+/-]+=*$',
  '^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})?$',
  '^(\\*{3}\\.[0-9]{3}\\.[0-9]{3}-\\*{2}|[0-9A-Z]{12}[0-9]{2})$',
  '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$',
  '^E[0-9A-Z]{8}[0-9]{12}[a-zA-Z0-9]{11}$',
  '^[^a-z]{2,4}$',
  '^\\d{3}-\\w+\\s?\\S$',
  '^(?:a|b){2}(?<name>c)??$',
  '^\\p{Lu}\\p{Ll}+$',
  '^\\u0041\\x42\\u{1f600}$',
  '^[\\]\\\\-]+$',
  '^.{3}$',
  '^a{2,}b*?$',
  'Z$',
]

function read(pattern: string) {
  const found = readPattern(pattern)
  if (!found) throw new Error(`${pattern} cannot be read`)
  return found
}

describe.each(PATTERNS)('%s', (pattern) => {
  test('its shortest string and its edge strings match', () => {
    for (const text of [shortestString(read(pattern)), ...edgeStrings(read(pattern))])
      expect(text).toMatch(regExpOf(pattern))
  })

  test('every generated string matches', () => {
    const draw = (seed: number) => (count: number) => (seed * 7919 + count * 31) % count
    fc.assert(
      fc.property(fc.nat(), (seed) => regExpOf(pattern).test(randomString(read(pattern), draw(seed)))),
    )
    const texts = matchingArbitrary(pattern) ?? fc.constant('')
    fc.assert(fc.property(texts, (text) => regExpOf(pattern).test(text)))
  })

  test('a string of a given length has that length', () => {
    for (let length = 0; length < 60; length++) {
      const text = stringOfLength(read(pattern), length)
      if (text !== undefined) expect([...text].length).toBe(length)
    }
  })
})

test.each([
  ['^[0-9]{1,4}$', 4, '1111'],
  ['^[0-9]{1,4}$', 5, undefined],
  ['^[0-9]{1,4}$', 0, undefined],
  ['^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$', 14, '11111111111111'],
  ['^a+b+$', 5, 'aaaab'],
  ['^(ab)+$', 6, 'ababab'],
  ['^(ab)+$', 5, undefined],
])('%s of length %i is %s', (pattern, length, text) => {
  expect(stringOfLength(read(pattern), length)).toBe(text)
})

test('the edges are the shortest and the longest of each branch, and both ends of a class', () => {
  expect(edgeStrings(read('^([1-9][0-9]?|100)$'))).toEqual(['1', '11', '99', '100'])
})

test.each(['^(a)\\1$', '(?', '[a', '^(?<n>a)\\k<n>$'])('%s is not supported', (pattern) => {
  expect(readPattern(pattern)).toBeUndefined()
})

test('an assertion is met by trying generated strings', () => {
  const pattern = '^(?=.*[1-9])[0-9]{2}$'
  fc.assert(
    fc.property(matchingArbitrary(pattern) ?? fc.constant(''), (text) => regExpOf(pattern).test(text)),
  )
})
