import { choicesOf, memberPlaces, namesOf, requiredOf, unknownNameOf } from './choices.ts'
import { type Edit, edit, lengthOf } from './edit.ts'
import { listOf, objectOfSize, textsOfLength } from './filled.ts'
import { FORMATS } from './formats.ts'
import { isObject, type Json } from './json.ts'
import { edgesOf, ofLength } from './matching.ts'
import { exact, numberRulesOf } from './number.ts'
import { readPattern } from './pattern.ts'
import { child, keywordOf, type Place } from './place.ts'
import { type Site, saidBy, textsShown } from './sites.ts'
import { firstOf, matching, textRulesOf } from './text.ts'
import type { Valid } from './valid.ts'

/** The note of a value that a schema shows as its example. */
export const EXAMPLE = 'an example of the schema'

/** What edges may be asked for beside the usual. */
export interface EdgeOptions {
  /** Whether texts with U+0000 are tried, which many stores refuse. Default: false. */
  readonly nul?: boolean
}

/** Changes of one place after which its value should still be right: the inside of each edge. */
export function edgesOfSite(site: Site, valid: Valid, options: EdgeOptions = {}): Edit[] {
  const { value } = site
  return [
    ...(typeof value === 'string' ? textEdges(site, options) : []),
    ...(typeof value === 'number' ? numberEdges(site) : []),
    ...(Array.isArray(value) ? listEdges(site, valid) : []),
    ...(isObject(value) ? objectEdges(site, valid) : []),
    ...anyEdges(site, valid),
  ]
}

function anyEdges(site: Site, valid: Valid): Edit[] {
  const { parts } = site
  const types = saidBy(parts, 'type').flatMap(([types, part]) =>
    [types].flat().map((it) => [String(it), part] as const),
  )
  return [
    ...saidBy(parts, 'enum').flatMap(([values, part]) =>
      (values as Json[]).map((value) => edit(site, part, 'enum', { value, note: 'another of the values' })),
    ),
    ...types.flatMap(([type, part]) => typeEdges(site, part, type, valid)),
    ...saidBy(parts, 'default').map(([value, part]) =>
      edit(site, part, 'default', { value, note: 'the default, written out' }),
    ),
    ...parts
      .flatMap(choicesOf)
      .flatMap(({ schema, keyword, branches }) =>
        branches.flatMap((branch, i) => branchEdge(site, valid, { schema, keyword, branch, number: i + 1 })),
      ),
  ]
}

const OF_TYPE: Readonly<Record<string, readonly Json[]>> = { null: [null], boolean: [true, false] }

function typeEdges(site: Site, part: Place, type: string, valid: Valid): Edit[] {
  const values = OF_TYPE[type]
  if (values) return values.map((value) => edit(site, part, 'type', { value, note: `${value}` }))
  const made = valid.one([{ ...part }], { example: true })
  return made === undefined || site.value !== null
    ? []
    : [edit(site, part, 'type', { value: made, note: 'a value instead of null' })]
}

/** The schema that says of what type the value is: what is allowed of all values of a type is its word. */
function sayingType({ parts }: Site): Place | undefined {
  return parts.find((part) => keywordOf(part, 'type') !== undefined) ?? parts[0]
}

interface Branch {
  readonly schema: Place
  readonly keyword: string
  readonly branch: readonly Place[]
  readonly number: number
}

function branchEdge(site: Site, valid: Valid, { schema, keyword, branch, number }: Branch): Edit[] {
  const value = valid.one([...site.places, ...branch], { example: true })
  return value === undefined ? [] : [edit(site, schema, keyword, { value, note: `of form ${number}` })]
}

/** Texts that stores, columns and counters get wrong. */
const UNUSUAL: readonly (readonly [text: string, note: string])[] = [
  ['Conceição Ação', 'accents'],
  ['Conceic\u0327a\u0303o', 'combining accents'],
  ['😀👩‍👩‍👧', 'characters outside the BMP'],
  ['שלום עולם', 'text from right to left'],
  ['支付', 'Chinese'],
  ['"\\/\b\f\n\r\t', 'characters that JSON escapes'],
  ["'; -- <b>&amp;{{1}}%s", 'characters that other languages mean something by'],
  [' a ', 'spaces around'],
  ['\u200b\u00a0\ufeff', 'spaces that are not seen'],
  ['0', 'a digit'],
  ['null', 'the word null'],
  ['fulano+pix@example.com', 'an e-mail with a plus'],
]

function textEdges(site: Site, { nul = false }: EdgeOptions): Edit[] {
  const schema = sayingType(site)
  if (!schema) return []
  const { min, max } = textRulesOf(site.parts)
  const lengths = (['minLength', 'maxLength'] as const).flatMap((keyword) =>
    saidBy(site.parts, keyword).flatMap(([length, part]) =>
      textsOfLength(site, Number(length)).map((value) =>
        edit(site, part, keyword, { value, note: `${length} characters long` }),
      ),
    ),
  )
  const unusual = nul ? [...UNUSUAL, ['a\u0000b', 'U+0000'] as const] : UNUSUAL
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

/** What a schema shows as its values. */
function exampleEdges(site: Site, schema: Place): Edit[] {
  return textsShown(site).map((value) => edit(site, schema, 'type', { value, note: EXAMPLE }))
}

function patternEdges(site: Site): Edit[] {
  const rules = textRulesOf(site.parts)
  return saidBy(site.parts, 'pattern').flatMap(([pattern, part]) => {
    const read = readPattern(String(pattern))
    const drawn = firstOf(matching(String(pattern), rules), 8)
    const texts = read
      ? [
          ...edgesOf(read).flatMap(withMoreAround),
          ...edgesOf(read).slice(0, 1).map(smallest),
          ofLength(read, rules.min),
          ofLength(read, rules.max),
          ...drawn,
        ]
      : []
    return texts
      .filter((text) => text !== undefined)
      .map((value) =>
        edit(site, part, 'pattern', { value, note: `${lengthOf(value)} characters that match` }),
      )
  })
}

/** Zeros for all digits but the last: the least amount, a number that begins with zeros. */
function smallest(text: string): string {
  return text.replaceAll(/[0-9](?=.*[0-9])/g, '0')
}

/** What is not anchored may have more around it. */
function withMoreAround(text: string): string[] {
  return [text, `${text}a`, `a${text}`]
}

function formatEdges(site: Site): Edit[] {
  return saidBy(site.parts, 'format').flatMap(([format, part]) =>
    (FORMATS[String(format)]?.valid ?? []).map((value) =>
      edit(site, part, 'format', { value, note: `another ${format}` }),
    ),
  )
}

const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const

function numberEdges(site: Site): Edit[] {
  const schema = sayingType(site)
  if (!schema) return []
  const type = saidBy(site.parts, 'type').some(([it]) => it === 'integer') ? 'integer' : 'number'
  const { step, min, max } = numberRulesOf(site.parts, type)
  const bounds = BOUNDS.flatMap((keyword) =>
    saidBy(site.parts, keyword).flatMap(([bound, part]) => {
      const edge = keyword.toLowerCase().includes('min') ? min : max
      const inside = keyword.toLowerCase().includes('min') ? step : -step
      return [edge, exact(edge + inside)].map((value) =>
        edit(site, part, keyword, { value, note: `at the edge of ${bound}` }),
      )
    }),
  )
  const plain = [0, 1, -1, 0.1, 1e-7, 2 ** 31, Number.MAX_SAFE_INTEGER, 1e15]
  const multiples = saidBy(site.parts, 'multipleOf').flatMap(([it, part]) =>
    [0, 1, -1, 7].map((times) =>
      edit(site, part, 'multipleOf', { value: exact(Number(it) * times), note: `${times} times ${it}` }),
    ),
  )
  return [
    ...bounds,
    ...multiples,
    ...plain.map((value) => edit(site, schema, 'type', { value, note: `${value}` })),
  ]
}

function listEdges(site: Site, valid: Valid): Edit[] {
  const schema = sayingType(site)
  if (!schema) return []
  const isUnique = saidBy(site.parts, 'uniqueItems').some(([it]) => it === true)
  const lengths = (['minItems', 'maxItems'] as const).flatMap((keyword) =>
    saidBy(site.parts, keyword).flatMap(([length, part]) => {
      const value = listOf(site, Number(length), isUnique, valid)
      return value ? [edit(site, part, keyword, { value, note: `a list of ${length} items` })] : []
    }),
  )
  const twice = isUnique
    ? []
    : [
        edit(site, schema, 'items', {
          value: listOf(site, 2, false, valid) ?? [],
          note: 'a list with the same item twice',
        }),
      ]
  return [...lengths, edit(site, schema, 'type', { value: [], note: 'empty' }), ...twice]
}

function objectEdges(site: Site, valid: Valid): Edit[] {
  const schema = sayingType(site)
  const value = site.value
  if (!schema || !isObject(value)) return []
  const required = requiredOf(site.parts)
  const optional = namesOf(site.parts).filter((name) => !required.includes(name))
  const least = Object.fromEntries(Object.entries(value).filter(([name]) => required.includes(name)))
  const reordered = Object.fromEntries(Object.entries(value).toReversed())
  const unknown = [
    ['text', 'a'],
    ['null', null],
    ['object', { a: [1] }],
  ] as const
  return [
    edit(site, schema, 'properties', {
      value: reordered,
      note: 'an object with its members in reverse order',
    }),
    edit(site, schema, 'required', { value: least, note: 'an object of its required members alone' }),
    ...optional.flatMap((name) => optionalEdges(site, valid, { name, value, least })),
    ...unknown.map(([kind, it]) =>
      edit(site, schema, 'additionalProperties', {
        member: unknownNameOf(site.parts),
        value: it,
        note: `an unknown member: ${kind}`,
      }),
    ),
    ...countEdges(site, valid),
  ]
}

interface Optional {
  readonly name: string
  readonly value: { readonly [name: string]: Json }
  readonly least: { readonly [name: string]: Json }
}

/** A member that need not be there: absent, and the only one beside those that must. */
function optionalEdges(site: Site, valid: Valid, { name, value, least }: Optional): Edit[] {
  const part = site.parts.find((it) => child(child(it, 'properties') ?? it, name)) ?? site.parts[0]
  if (!part) return []
  const own = value[name] ?? valid.one(memberPlaces(site.parts, name), { example: true })
  if (Object.hasOwn(value, name)) {
    const absent = edit(site, part, 'required', { member: name, value: undefined, note: 'left out' })
    return [absent, aloneEdge(site, part, name, { ...least, [name]: value[name] ?? null })]
  }
  if (own === undefined) return []
  const added = edit(site, part, 'required', { member: name, value: own, note: 'added' })
  return [added, aloneEdge(site, part, name, { ...least, [name]: own })]
}

function aloneEdge(site: Site, part: Place, name: string, value: Json): Edit {
  return {
    ...edit(site, part, 'required', { value, note: `an object of its required members and ${name}` }),
    member: name,
  }
}

function countEdges(site: Site, valid: Valid): Edit[] {
  return saidBy(site.parts, 'maxProperties').flatMap(([most, part]) => {
    const value = objectOfSize(site, Number(most), valid)
    return value ? [edit(site, part, 'maxProperties', { value, note: `an object of ${most} members` })] : []
  })
}
