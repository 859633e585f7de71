import { codePointLength, type Edit, edit } from './edit.ts'
import { FORMATS } from './formats.ts'
import { readPattern } from './pattern.ts'
import { edgeStrings, stringOfLength } from './pattern-strings.ts'
import type { Place } from './place.ts'
import { exampleStrings, keywordValues, type Site, typedPlace } from './sites.ts'
import { stringsOfLength } from './sized-values.ts'
import { matchingStrings, stringRulesOf, take } from './valid-strings.ts'

/** The note of a value from the examples of a schema. */
export const EXAMPLE = 'an example of the schema'

export interface EdgeOptions {
  /** Whether to include U+0000, which many databases refuse. Default: false. */
  readonly nul?: boolean
}

/** Strings that databases and length checks often handle wrongly. */
const UNUSUAL_STRINGS: readonly (readonly [text: string, note: string])[] = [
  ['Conceição Ação', 'accents'],
  ['Conceic\u0327a\u0303o', 'combining accents'],
  ['😀👩‍👩‍👧', 'characters outside the BMP'],
  ['שלום עולם', 'right-to-left text'],
  ['支付', 'Chinese'],
  ['"\\/\b\f\n\r\t', 'characters that JSON escapes'],
  ["'; -- <b>&amp;{{1}}%s", 'characters with a meaning in other languages'],
  [' a ', 'spaces around'],
  ['\u200b\u00a0\ufeff', 'invisible spaces'],
  ['0', 'a digit'],
  ['null', 'the word null'],
  ['fulano+pix@example.com', 'an e-mail with a plus'],
]

/** Valid strings at the boundaries of keywords, and unusual ones. */
export function stringEdges(site: Site, { nul = false }: EdgeOptions): Edit[] {
  const schema = typedPlace(site)
  if (!schema) return []
  const { min, max } = stringRulesOf(site.parts)
  const lengths = (['minLength', 'maxLength'] as const).flatMap((keyword) =>
    keywordValues(site.parts, keyword).flatMap(([length, part]) =>
      stringsOfLength(site, Number(length)).map((value) =>
        edit(site, part, keyword, { value, note: `${length} characters long` }),
      ),
    ),
  )
  const unusual = nul ? [...UNUSUAL_STRINGS, ['a\u0000b', 'U+0000'] as const] : UNUSUAL_STRINGS
  const free = unusual.map(([value, note]) => edit(site, schema, 'type', { value, note }))
  const long = edit(site, schema, 'type', {
    value: '😀'.repeat(Math.min(max, 140)),
    note: 'many characters outside the BMP',
  })
  const empty = min === 0 ? [edit(site, schema, 'type', { value: '', note: 'empty' })] : []
  return [
    ...lengths,
    ...patternEdges(site),
    ...formatEdges(site),
    ...exampleEdges(site, schema),
    ...empty,
    long,
    ...free,
  ]
}

function exampleEdges(site: Site, schema: Place): Edit[] {
  return exampleStrings(site).map((value) => edit(site, schema, 'type', { value, note: EXAMPLE }))
}

function patternEdges(site: Site): Edit[] {
  const rules = stringRulesOf(site.parts)
  return keywordValues(site.parts, 'pattern').flatMap(([pattern, part]) => {
    const read = readPattern(String(pattern))
    const drawn = take(matchingStrings(String(pattern), rules), 8)
    const texts = read
      ? [
          ...edgeStrings(read).flatMap(withMoreAround),
          ...edgeStrings(read).slice(0, 1).map(smallest),
          stringOfLength(read, rules.min),
          stringOfLength(read, rules.max),
          ...drawn,
        ]
      : []
    return texts
      .filter((text) => text !== undefined)
      .map((value) =>
        edit(site, part, 'pattern', { value, note: `${codePointLength(value)} characters that match` }),
      )
  })
}

/** Zeros for all digits but the last: the smallest amount, or a number with leading zeros. */
function smallest(text: string): string {
  return text.replaceAll(/[0-9](?=.*[0-9])/g, '0')
}

/** A pattern without anchors allows more around the match. */
function withMoreAround(text: string): string[] {
  return [text, `${text}a`, `a${text}`]
}

function formatEdges(site: Site): Edit[] {
  return keywordValues(site.parts, 'format').flatMap(([format, part]) =>
    (FORMATS[String(format)]?.valid ?? []).map((value) =>
      edit(site, part, 'format', { value, note: `another ${format}` }),
    ),
  )
}
