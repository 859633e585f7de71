import { choicesOf, UNKNOWN, unknownNameOf } from './choices.ts'
import { type Edit, edit, lengthOf } from './edit.ts'
import { listOf, objectOfSize, textsOfLength } from './filled.ts'
import { FORMATS } from './formats.ts'
import { isObject, type Json, memberOf } from './json.ts'
import { edgesOf } from './matching.ts'
import { exact } from './number.ts'
import { readPattern, regExpOf } from './pattern.ts'
import { child, children, keywordOf, type Place } from './place.ts'
import { type Site, saidBy, textsShown } from './sites.ts'
import type { Valid } from './valid.ts'

type Breaker = (said: Json, part: Place, site: Site, valid: Valid) => Edit[]

/** Changes of one place each of which should break a keyword. */
export function breakersOfSite(site: Site, valid: Valid): Edit[] {
  return Object.entries(BREAKERS).flatMap(([keyword, breaker]) =>
    saidBy(site.parts, keyword).flatMap(([said, part]) => breaker(said, part, site, valid)),
  )
}

/** By keyword. What a change really breaks, the validator says. */
const BREAKERS: Readonly<Record<string, Breaker>> = {
  required: (said, part, site) => withoutMembers(said as string[], part, site),
  type: (said, part, site) =>
    othersThan([said].flat().map(String), site.value).map((to) => edit(site, part, 'type', to)),
  enum: (said, part, site) => notAmong(said as Json[], site.value).map((to) => edit(site, part, 'enum', to)),
  const: (said, part, site) => notAmong([said], site.value).map((to) => edit(site, part, 'const', to)),
  pattern: (said, part, site) =>
    typeof site.value === 'string' ? mismatches(String(said), part, site, site.value) : [],
  format: (said, part, site) =>
    (FORMATS[String(said)]?.broken ?? []).map((value) =>
      edit(site, part, 'format', {
        value,
        note: `${value ? JSON.stringify(value) : 'empty'}, which is no ${said}`,
      }),
    ),
  minLength: (said, part, site) => ofLengths([Number(said) - 1], 'minLength', part, site),
  maxLength: (said, part, site) =>
    ofLengths([Number(said) + 1, Number(said) * 2 + 2], 'maxLength', part, site),
  minimum: (said, part, site) => numbers(site, part, 'minimum', Number(said), -1),
  maximum: (said, part, site) => numbers(site, part, 'maximum', Number(said), 1),
  exclusiveMinimum: (said, part, site) => numbers(site, part, 'exclusiveMinimum', Number(said), -1),
  exclusiveMaximum: (said, part, site) => numbers(site, part, 'exclusiveMaximum', Number(said), 1),
  multipleOf: (said, part, site) =>
    [0.5, 0.1].map((share) =>
      edit(site, part, 'multipleOf', {
        value: exact(Number(site.value) + Number(said) * share),
        note: `no multiple of ${said}`,
      }),
    ),
  minItems: (said, part, site) =>
    Array.isArray(site.value) && Number(said) > 0
      ? [
          edit(site, part, 'minItems', {
            value: site.value.slice(0, Number(said) - 1),
            note: 'a list with an item too few',
          }),
        ]
      : [],
  maxItems: (said, part, site, valid) => tooMany(Number(said), part, site, valid),
  uniqueItems: (said, part, site) => (said === true ? repeated(part, site) : []),
  additionalProperties: (_, part, site) => unknownMember(site, part, 'additionalProperties'),
  unevaluatedProperties: (_, part, site) => unknownMember(site, part, 'unevaluatedProperties'),
  minProperties: (said, part, site) => fewer(Number(said), part, site),
  maxProperties: (said, part, site, valid) => more(Number(said), part, site, valid),
  dependentRequired: (said, part, site, valid) => withoutDependents(said, part, site, valid),
  propertyNames: (_, part, site) => wrongNames(part, site),
  discriminator: (said, part, site) => unknownTag(said, part, site),
  oneOf: (_, part, site, valid) => noForm(part, site, valid),
  anyOf: (_, part, site, valid) => noForm(part, site, valid),
  not: (_, part, site, valid) => forbidden(part, site, valid),
  contains: (_, part, site) =>
    [[], [null], ['a'], [{}], [-1]].map((value) =>
      edit(site, part, 'contains', { value, note: 'a list without the item that is asked for' }),
    ),
}

function withoutMembers(names: readonly string[], part: Place, site: Site): Edit[] {
  const { value } = site
  const present = isObject(value) ? names.filter((name) => Object.hasOwn(value, name)) : []
  return present.map((member) => edit(site, part, 'required', { member, value: undefined, note: 'left out' }))
}

interface To {
  readonly value: Json | undefined
  readonly note: string
  readonly member?: string
}

/** A value of each other type, and those that are read as one of the right type by mistake. */
function othersThan(types: readonly string[], value: Json): To[] {
  const others: readonly (readonly [type: string, value: Json, note: string])[] = [
    ['null', null, 'null'],
    ['boolean', true, 'true'],
    ['integer', 0, 'a number'],
    ['number', 1.5, 'a decimal number'],
    ['string', 'a', 'text'],
    ['string', '', 'empty text'],
    ['array', [], 'an empty list'],
    ['object', {}, 'an empty object'],
    ['array', [value], 'put into a list'],
    ...mistaken(value),
  ]
  return others
    .filter(([type]) => !types.includes(type) && !(type === 'integer' && types.includes('number')))
    .map(([, value, note]) => ({ value, note }))
}

function mistaken(value: Json): (readonly [type: string, value: Json, note: string])[] {
  if (typeof value === 'number')
    return [
      ['string', String(value), 'the number as text'],
      ['number', exact(value + 0.5), 'a half more than a whole number'],
    ]
  if (typeof value === 'boolean')
    return [
      ['string', String(value), 'the word as text'],
      ['integer', Number(value), '0 or 1'],
    ]
  if (Array.isArray(value))
    return [
      ['string', value.join(','), 'written as text'],
      ['object', { ...value }, 'written as an object'],
    ]
  if (typeof value === 'string') return numberOf(value)
  return isObject(value) ? [['string', JSON.stringify(value), 'written as text']] : []
}

function numberOf(text: string): (readonly [type: string, value: Json, note: string])[] {
  const number = Number(text)
  return text.trim() === '' || !Number.isFinite(number) ? [] : [['number', number, 'the text as a number']]
}

function notAmong(values: readonly Json[], value: Json): To[] {
  const texts = values.filter((it) => typeof it === 'string')
  const own = typeof value === 'string' ? value : (texts[0] ?? '')
  const cases = [
    own.toLowerCase(),
    own.toUpperCase(),
    `${own.slice(0, 1).toUpperCase()}${own.slice(1).toLowerCase()}`,
  ]
  const others: To[] = [
    ...[...new Set(cases)].map((it) => ({ value: it, note: 'written in another case' })),
    { value: `${own} `, note: 'followed by a space' },
    { value: ` ${own}`, note: 'preceded by a space' },
    { value: `${own}x`, note: 'followed by a letter' },
    { value: own.slice(0, -1), note: 'shortened by its last letter' },
    { value: '', note: 'empty' },
    { value: UNKNOWN, note: 'an unknown value' },
    ...values
      .filter((it) => typeof it === 'number')
      .flatMap((it) => [
        { value: it + 1, note: 'one more' },
        { value: it - 1, note: 'one less' },
      ]),
    ...values.filter((it) => typeof it === 'boolean').map((it) => ({ value: !it, note: 'the opposite' })),
  ]
  const known = new Set(values.map((it) => JSON.stringify(it)))
  return others.filter((to) => !known.has(JSON.stringify(to.value)))
}

const DIGITS = /[0-9]/
/** Arabic and fullwidth digits, which some engines take for digits. */
const FOREIGN = ['٣', '３']

function mismatches(pattern: string, part: Place, site: Site, text: string): Edit[] {
  const regExp = regExpOf(pattern)
  const texts: (readonly [text: string, note: string])[] = [
    ...[...withOneChanged(text)],
    ...nearMisses(pattern),
    [text.slice(0, -1), 'shortened by its last character'],
    [text.slice(1), 'shortened by its first character'],
    [`${text}${text.slice(-1) || 'a'}`, 'lengthened by its last character'],
    [`${text}a`, 'followed by a letter'],
    [` ${text}`, 'preceded by a space'],
    [`${text} `, 'followed by a space'],
    [`${text}\n`, 'followed by a line break'],
    [`${text}\n${text}`, 'written twice, on two lines'],
    [text.toLowerCase(), 'in small letters'],
    [text.toUpperCase(), 'in capitals'],
    [`-${text}`, 'preceded by a minus'],
    [text.replace('.', ','), 'written with a comma for the dot'],
    [text.replace(/\..*/, ''), 'cut off at the dot'],
    ['abc', 'letters'],
    ['1e1', 'a number with an exponent'],
    ['', 'empty'],
    ...textsShown(site).flatMap(writtenOtherwise),
  ]
  return texts
    .filter(([it]) => !regExp.test(it))
    .map(([value, note]) => edit(site, part, 'pattern', { value, note }))
}

/** One character in the middle is another. The length stays. */
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

/** As people write it: in other letters, in groups. */
function writtenOtherwise(text: string): (readonly [text: string, note: string])[] {
  return [
    [text.toLowerCase(), 'an example in small letters'],
    [text.toUpperCase(), 'an example in capitals'],
    [text.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4'), 'an example with dots and a dash'],
  ]
}

/** Longest and shortest matches, a character longer and shorter. */
function nearMisses(pattern: string): (readonly [string, string])[] {
  const read = readPattern(pattern)
  return (read ? edgesOf(read).slice(0, 6) : []).flatMap((text) => [
    [`${text}${text.slice(-1)}`, `${lengthOf(text) + 1} characters long`] as const,
    [text.slice(0, -1), `${Math.max(0, lengthOf(text) - 1)} characters long`] as const,
  ])
}

function ofLengths(lengths: readonly number[], keyword: string, part: Place, site: Site): Edit[] {
  return lengths.flatMap((length) =>
    textsOfLength(site, length).map((value) =>
      edit(site, part, keyword, { value, note: `${length} characters long` }),
    ),
  )
}

function numbers(site: Site, part: Place, keyword: string, bound: number, sign: number): Edit[] {
  const values = [bound, ...[1, 0.01, 0.5, 1000, 2 ** 31].map((far) => exact(bound + sign * far))]
  return values.map((value) => edit(site, part, keyword, { value, note: `${value}` }))
}

function tooMany(most: number, part: Place, site: Site, valid: Valid): Edit[] {
  if (!Array.isArray(site.value)) return []
  const isUnique = saidBy(site.parts, 'uniqueItems').some(([it]) => it === true)
  const value = listOf(site, most + 1, isUnique, valid)
  return value ? [edit(site, part, 'maxItems', { value, note: `a list of ${most + 1} items` })] : []
}

function repeated(part: Place, site: Site): Edit[] {
  const [first, ...rest] = Array.isArray(site.value) ? (site.value as readonly Json[]) : []
  if (first === undefined) return []
  const lists = [
    [first, ...rest, first],
    [first, first, ...rest.slice(1)],
  ]
  return lists.map((value) => edit(site, part, 'uniqueItems', { value, note: 'a list with an item twice' }))
}

function unknownMember(site: Site, part: Place, keyword: string): Edit[] {
  if (!isObject(site.value)) return []
  const values: readonly Json[] = ['a', null, 1, {}, []]
  return values.map((value) =>
    edit(site, part, keyword, { member: unknownNameOf(site.parts), value, note: 'an unknown member' }),
  )
}

function fewer(least: number, part: Place, site: Site): Edit[] {
  if (!isObject(site.value) || least < 1) return []
  const entries = Object.entries(site.value)
  const lists = [entries.slice(0, least - 1), entries.toReversed().slice(0, least - 1)]
  return lists.map((it) =>
    edit(site, part, 'minProperties', {
      value: Object.fromEntries(it),
      note: 'an object with a member too few',
    }),
  )
}

function more(most: number, part: Place, site: Site, valid: Valid): Edit[] {
  const value = objectOfSize(site, most + 1, valid)
  return value ? [edit(site, part, 'maxProperties', { value, note: `an object of ${most + 1} members` })] : []
}

function withoutDependents(said: Json, part: Place, site: Site, valid: Valid): Edit[] {
  const value = site.value
  if (!isObject(value)) return []
  return Object.entries(said as Record<string, string[]>).flatMap(([name, needed]) =>
    needed.map((missing) => {
      const { [missing]: _, ...rest } = value
      const places = child(child(part, 'properties') ?? part, name)
      const own = value[name] ?? (places && valid.one([places], { example: true })) ?? 'a'
      return edit(site, part, 'dependentRequired', {
        value: { ...rest, [name]: own },
        note: `an object with ${name} and without ${missing}`,
      })
    }),
  )
}

function wrongNames(part: Place, site: Site): Edit[] {
  if (!isObject(site.value)) return []
  const own = Object.values(site.value)[0] ?? 'a'
  const names = [UNKNOWN, 'X', '1', ' ', '#', 'é', 'a'.repeat(300), '']
  return names.map((member) =>
    edit(site, part, 'propertyNames', { member, value: own, note: 'a member of another name' }),
  )
}

function unknownTag(said: Json, part: Place, site: Site): Edit[] {
  const member = memberOf(said, 'propertyName')
  const own = typeof member === 'string' ? memberOf(site.value, member) : undefined
  if (typeof member !== 'string' || typeof own !== 'string') return []
  return notAmong([own], own).map((to) => edit(site, part, 'discriminator', { ...to, member }))
}

/** A value of none of the forms, and one of several at once. */
function noForm(part: Place, site: Site, valid: Valid): Edit[] {
  const branches = choicesOf(part).flatMap((it) => it.branches)
  const values = branches
    .map((branch) => valid.one(branch, { example: true }))
    .filter((it) => it !== undefined)
  const both = Object.assign({}, ...values.filter(isObject)) as Json
  const others: readonly Json[] = [null, true, 0, 'a', [], {}, both, ...values]
  const keyword = keywordOf(part, 'oneOf') === undefined ? 'anyOf' : 'oneOf'
  return others.map((value) =>
    edit(site, part, keyword, { value, note: 'of none of the forms, or of several' }),
  )
}

function forbidden(part: Place, site: Site, valid: Valid): Edit[] {
  const not = child(part, 'not')
  const value =
    not &&
    valid.one([...site.places.filter((it) => keywordOf(it, 'not') === undefined), not], { example: true })
  const members = children(child(not ?? part, 'properties')).map(([name]) => name)
  const own = not && valid.one([not], { example: true })
  const merged = isObject(own) && isObject(site.value) ? [{ ...site.value, ...own }] : []
  const all = [value, own, ...merged].filter((it) => it !== undefined)
  const note = members.length > 0 ? `an object with ${members.join(', ')}` : 'what it must not be'
  return all.map((it) => edit(site, part, 'not', { value: it, note }))
}
