import { type Edit, edit, keywordEdits } from './edit.ts'
import { FORMATS } from './formats.ts'
import { readPattern } from './pattern.ts'
import { edgeStrings, stringOfLength } from './pattern-strings.ts'
import { exampleStrings, type Site, typedPlace } from './sites.ts'
import { stringsOfLength } from './sized-values.ts'
import { matchingStrings, stringRulesOf, take } from './valid-strings.ts'

/** The note of a value from the examples of a schema. */
export const EXAMPLE = 'an example of the schema'

/** The note of a string that any schema allows which restricts no characters. */
export const ANY_TEXT = 'Chinese'

/** Strings that databases and length checks often handle wrongly. */
const UNUSUAL_STRINGS: readonly (readonly [text: string, note: string])[] = [
  ['Conceição Ação', 'accents'],
  ['Conceic\u0327a\u0303o', 'combining accents'],
  ['😀👩‍👩‍👧', 'characters outside the BMP'],
  ['שלום עולם', 'right-to-left text'],
  ['支付', ANY_TEXT],
  ['"\\/\b\f\n\r\t', 'characters that JSON escapes'],
  ["'; -- <b>&amp;{{1}}%s", 'characters with a meaning in other languages'],
  [' a ', 'spaces around'],
  ['\u200b\u00a0\ufeff', 'invisible spaces'],
  ['0', 'a digit'],
  ['null', 'the word null'],
  ['fulano+pix@example.com', 'an e-mail with a plus'],
]

/** Valid strings at the boundaries of keywords, and unusual ones. */
export function stringEdges(site: Site): Edit[] {
  const schema = typedPlace(site)
  if (!schema) return []
  const { min, max } = stringRulesOf(site.parts)
  const lengths = ['minLength', 'maxLength'].flatMap((keyword) =>
    keywordEdits(site, keyword, (length) =>
      stringsOfLength(site, Number(length)).map((value) => ({ value, note: `${length} characters long` })),
    ),
  )
  const formats = keywordEdits(site, 'format', (format) =>
    (FORMATS[String(format)]?.valid ?? []).map((value) => ({ value, note: `another ${format}` })),
  )
  const free: readonly (readonly [text: string, note: string])[] = [
    ...exampleStrings(site).map((it) => [it, EXAMPLE] as const),
    ...(min === 0 ? [['', 'empty'] as const] : []),
    ['😀'.repeat(Math.min(max, 140)), 'many characters outside the BMP'],
    ...UNUSUAL_STRINGS,
  ]
  return [
    ...lengths,
    ...patternEdges(site),
    ...formats,
    ...free.map(([value, note]) => edit(site, schema, 'type', { value, note })),
  ]
}

function patternEdges(site: Site): Edit[] {
  const rules = stringRulesOf(site.parts)
  return keywordEdits(site, 'pattern', (pattern) => {
    const read = readPattern(String(pattern))
    if (!read) return []
    const edges = edgeStrings(read)
    const texts = [
      ...edges.flatMap(withMoreAround),
      ...edges.slice(0, 1).map(smallest),
      stringOfLength(read, rules.min),
      stringOfLength(read, rules.max),
      ...take(matchingStrings(String(pattern), rules), 8),
    ]
    return texts
      .filter((text) => text !== undefined)
      .map((value) => ({ value, note: `${[...value].length} characters that match` }))
  })
}

/** Zeros for all digits but the last: the smallest amount, or a number with leading zeros. */
function smallest(text: string): string {
  const last = text.search(/[0-9][^0-9]*$/)
  return text.slice(0, last).replaceAll(/[0-9]/g, '0') + text.slice(last)
}

/** A pattern without anchors allows more around the match. */
function withMoreAround(text: string): string[] {
  return [text, `${text}a`, `a${text}`]
}
