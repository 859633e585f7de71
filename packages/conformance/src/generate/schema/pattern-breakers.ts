import type { Replacement } from './edit.ts'
import { readPattern, regExpOf } from './pattern.ts'
import { edgeStrings } from './pattern-strings.ts'
import { exampleStrings, type Site } from './sites.ts'

const DIGITS = /[0-9]/
/** Arabic and fullwidth digits, which `\d` matches in some engines. */
const FOREIGN = ['٣', '３']

/** Strings close to a match that the pattern refuses. */
export function mismatches(pattern: string, site: Site): Replacement[] {
  const { value: text } = site
  if (typeof text !== 'string') return []
  const regExp = regExpOf(pattern)
  const texts: (readonly [text: string, note: string])[] = [
    ...[...withOneChanged(text)],
    ...lengthMisses(pattern),
    [text.slice(0, -1), 'shortened by its last character'],
    [text.slice(1), 'shortened by its first character'],
    [`${text}${text.slice(-1) || 'a'}`, 'lengthened by its last character'],
    [`${text}a`, 'followed by a letter'],
    [` ${text}`, 'preceded by a space'],
    [`${text} `, 'followed by a space'],
    [`${text}\n`, 'followed by a line break'],
    [`${text}\n${text}`, 'written twice, on two lines'],
    [text.toLowerCase(), 'in lower case'],
    [text.toUpperCase(), 'in upper case'],
    [`-${text}`, 'preceded by a minus'],
    [text.replace('.', ','), 'written with a comma for the dot'],
    [text.replace(/\..*/, ''), 'cut off at the dot'],
    ['abc', 'letters'],
    ['1e1', 'a number with an exponent'],
    ['', 'empty'],
    ...exampleStrings(site).flatMap(otherNotations),
  ]
  return texts.filter(([it]) => !regExp.test(it)).map(([value, note]) => ({ value, note }))
}

/** Replaces one character, so that the length stays the same. */
function* withOneChanged(text: string): Generator<readonly [string, string]> {
  const characters = [...text]
  for (const at of new Set([0, Math.floor(characters.length / 2), characters.length - 1])) {
    const own = characters[at]
    if (own === undefined) continue
    const others = DIGITS.test(own) ? [...FOREIGN, 'a', '-'] : ['#', 'é', ' ']
    for (const it of others)
      yield [characters.with(at, it).join(''), `changed to ${JSON.stringify(it)} at character ${at + 1}`]
  }
}

/** Notations that people use. */
function otherNotations(text: string): (readonly [text: string, note: string])[] {
  return [
    [text.toLowerCase(), 'an example in lower case'],
    [text.toUpperCase(), 'an example in upper case'],
    [text.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4'), 'an example with dots and a dash'],
  ]
}

/** The longest and shortest matches, one character longer and shorter. */
function lengthMisses(pattern: string): (readonly [string, string])[] {
  const read = readPattern(pattern)
  return (read ? edgeStrings(read).slice(0, 6) : []).flatMap((text) => [
    [`${text}${text.slice(-1)}`, `${[...text].length + 1} characters long`] as const,
    [text.slice(0, -1), `${Math.max(0, [...text].length - 1)} characters long`] as const,
  ])
}
